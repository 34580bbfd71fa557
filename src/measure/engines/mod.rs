//! Engines: foreign programs that answer positions. [`foreign`] makes a solver of a running program. [`table`] is how
//! an experiment names a program. [`record`] says which program stood under a name,
//! [`engine_clock`] whose time of it enters the tables, [`program_log`] where its stderr goes. [`interview`] finds out how a program is asked.

pub mod contestant;
pub mod engine_clock;
pub mod foreign;
pub mod interview;
pub mod program_log;
pub mod record;
pub mod table;
