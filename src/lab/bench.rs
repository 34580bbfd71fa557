//! stub
use crate::solve::Solver;
pub struct Signature { pub nodes: u64, pub wall: std::time::Duration }
pub fn signature(_s: &mut dyn Solver) -> anyhow::Result<Signature> { Ok(Signature{nodes:1,wall:std::time::Duration::from_secs(1)}) }
