//! Files: rows, manifests, and the folder that holds them; the machine and the build.

pub mod atomic;
pub mod build_info;
pub mod machine;
pub mod manifest;
pub mod node_row;
pub mod rows;
pub mod sample;
