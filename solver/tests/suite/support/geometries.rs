//! Geometries of other boards than the standard one, one function for each type.

use c4lab_solver::game::any_board::Masked;
use c4lab_solver::game::room::{Groups, Room};
use c4lab_solver::game::{AnyBoard, BoardSize};

fn any<R: Room, W: Masked>(width: u32, height: u32) -> AnyBoard<R, W> {
    AnyBoard::of(BoardSize::new(width, height).expect("a board")).expect("a board of this type")
}

pub(crate) fn narrow(width: u32, height: u32) -> AnyBoard {
    any(width, height)
}

pub(crate) fn broad(width: u32, height: u32) -> AnyBoard<Groups<2>> {
    any(width, height)
}

pub(crate) fn long(width: u32, height: u32) -> AnyBoard<Groups<1>, u128> {
    any(width, height)
}

pub(crate) fn long_broad(width: u32, height: u32) -> AnyBoard<Groups<2>, u128> {
    any(width, height)
}
