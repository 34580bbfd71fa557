pub mod measure; pub mod report;
pub mod values { pub fn goal(s:&str)->Result<c4lab::solve::Goal,String>{ c4lab::solve::Goal::ALL.into_iter().find(|g|g.name()==s).ok_or("no".into()) } }
#[derive(Debug,PartialEq)]
pub enum Exit { Success, Failure, Wrong, Incomplete }
pub fn interrupt_flag() -> anyhow::Result<std::sync::Arc<std::sync::atomic::AtomicBool>> {
    let f = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(2, f.clone())?; signal_hook::flag::register(15, f.clone())?;
    Ok(f)
}
