//! Positions and points that several tests share.

pub(crate) mod cases;
pub(crate) mod draw;
pub(crate) mod draws;
pub(crate) mod every;
pub(crate) mod known;
pub(crate) mod layouts;
pub(crate) mod space;
