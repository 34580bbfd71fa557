//! Engines: foreign programs that answer positions. [`foreign`] makes a solver of a running program. [`table`] is how
//! an experiment names a program. [`record`] says which program stood under a name.

pub mod foreign;
pub mod record;
pub mod table;
