//! A participant: what is measured under a name. A variant of the registry, or an engine that the experiment names.

use crate::engines::Contestant;
use crate::engines::foreign::{Foreign, Program};
use crate::engines::record::EngineRecord;
use crate::engines::table::EngineClock;
use crate::plan::plan::Code;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{BuildError, Name, Options};

#[derive(Clone, Debug)]
pub struct Participant {
    pub name: String,
    pub spec: String,
    pub geometry: String,
    /// What its evaluators are on this build; none for a foreign program.
    pub code: Option<Code>,
    pub threads: u32,
    pub clock: EngineClock,
    pub dynamic: bool,
    kind: Runner,
}

#[derive(Clone, Debug)]
enum Runner {
    Variant(Name),
    Engine(Box<Program>),
}

impl Participant {
    /// A variant, under the name that the experiment gives it.
    pub fn variant(name: &Name, board: BoardSize) -> Self {
        let (text, spec) = (name.text().to_string(), name.spec().to_string());
        let code = Some(Code::of(name.spec(), !name.is_run_time_on(board)));
        let geometry = name.geometry(board);
        let threads = name.threads().count;
        let (clock, dynamic) = (EngineClock::Ours, name.is_run_time_on(board));
        Participant { name: text, spec, geometry, code, threads, clock, dynamic, kind: Runner::Variant(name.clone()) }
    }

    /// An engine whose version is known, and how it is run.
    pub fn engine(record: &EngineRecord, program: Program) -> Self {
        // How it keeps its boards is not known; the size of the board is.
        let geometry = program.board.to_string();
        Participant {
            name: record.name.clone(),
            spec: record.spec(),
            geometry,
            code: None,
            threads: 1,
            clock: record.clock,
            dynamic: false,
            kind: Runner::Engine(Box::new(program)),
        }
    }

    pub fn build(&self, options: &Options) -> Result<Box<dyn Contestant>, BuildError> {
        match &self.kind {
            Runner::Variant(name) => Ok(Box::new(name.build(options)?)),
            Runner::Engine(program) => Ok(Box::new(Foreign::new((**program).clone()))),
        }
    }
}
