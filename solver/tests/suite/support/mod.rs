//! Positions and points that several tests share.

pub(crate) mod draw;
pub(crate) mod positions;
pub(crate) mod space;
