//! What several tests draw their positions and points with.

pub(crate) mod cases;
pub(crate) mod draw;
pub(crate) mod draws;
pub(crate) mod every;
pub(crate) mod known;
pub(crate) mod layouts;
pub(crate) mod space;
