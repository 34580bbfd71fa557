mod cmd;
use clap::Parser;
#[derive(Parser)]
enum Cli { Measure(cmd::measure::MeasureArgs), Report(cmd::report::ReportArgs) }
fn main() {
    let r = match Cli::parse() { Cli::Measure(a)=>cmd::measure::run(a), Cli::Report(a)=>cmd::report::run(a)};
    match r { Ok(e)=>{println!("{e:?}")}, Err(e)=>{eprintln!("c4lab: {e:#}");std::process::exit(1)} }
}
