//! A participant: what is measured under a name. A variant of the registry, or an engine that the experiment names.

use crate::lab::engines::foreign::{Foreign, Program};
use crate::lab::engines::record::EngineRecord;
use crate::lab::plan::sized::SizedVariant;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{BuildError, Options, Solver};

/// Something that takes part in an experiment.
#[derive(Clone, Debug)]
pub struct Participant {
    /// Its name, as in rows.
    pub name: String,
    /// What it is, as in rows.
    pub spec: String,
    /// The geometry that it searches in, as in rows.
    pub geometry: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Variant(SizedVariant),
    Engine(Box<Program>),
}

impl Participant {
    /// A variant, under the name that the experiment gives it.
    pub fn variant(name: &str, sized: SizedVariant) -> Self {
        let (name, spec) = (name.to_string(), sized.entry.spec.to_string());
        Participant { name, spec, geometry: sized.entry.geometry(BoardSize::STANDARD), kind: Kind::Variant(sized) }
    }

    /// An engine whose version is known, and how it is run.
    pub fn engine(record: &EngineRecord, program: Program) -> Self {
        // How it keeps its boards is not known; the game is the standard one.
        let geometry = BoardSize::STANDARD.to_string();
        Participant { name: record.name.clone(), spec: record.spec(), geometry, kind: Kind::Engine(Box::new(program)) }
    }

    /// Builds its solver.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        match &self.kind {
            Kind::Variant(sized) => sized.entry.build(&sized.options(options)),
            Kind::Engine(program) => Ok(Box::new(Foreign::new((**program).clone()))),
        }
    }
}
