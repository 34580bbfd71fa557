//! Rules by which the opponent has a four sooner: aftereven, before, specialbefore.

use super::choices::{Choice, Choices, NO_INVERSE, inverse};
use super::lines::{Fours, Set};
use super::{Rule, word};
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// Some empty squares of the opponent's line, with the rule that each of them is got by.
#[derive(Clone, Copy)]
struct Part {
    /// The mover's lines that hold what the rules ask of all these squares.
    lines: Set,
    /// Lines that these rules stop by themselves.
    alone: Set,
    /// The lower squares of vertical pairs.
    pairs: u64,
    /// The squares of the baseinverse.
    squares: u64,
    inverse: u8,
    /// Whether a vertical is among them.
    has_vertical: bool,
}

impl Part {
    /// All squares.
    fn used(&self) -> u64 {
        self.pairs | self.pairs << 1 | self.squares
    }
}

impl<'a> Choices<'a> {
    /// All of them, for an opponent with these stones.
    pub(super) fn add_sooner<G: Geometry>(&mut self, g: G, opponent: u64) {
        if ![Rule::Aftereven, Rule::Before, Rule::Specialbefore].iter().any(|&rule| self.rules.has(rule)) {
            return;
        }
        for (empty, lines) in self.sooner_lines(g, opponent) {
            let none = Part { lines, alone: 0, pairs: 0, squares: 0, inverse: NO_INVERSE, has_vertical: false };
            self.add_parts(g, empty, empty, none);
        }
    }

    /// The opponent's lines, by their empty squares, each with the mover's lines that come later if the opponent gets all these squares.
    pub(super) fn sooner_lines<G: Geometry>(
        &self,
        g: G,
        opponent: u64,
    ) -> impl Iterator<Item = (u64, Set)> + use<'a, G> {
        let (lines, free) = (self.lines, self.free);
        let below_top = free & !(g.bottom() << (g.height() - 1)).low();
        Fours::of(g, opponent | below_top).filter_map(move |line| {
            let empty = line & free;
            let later = EachSquare(empty).fold(lines.all, |later, square| later & lines.above(square));
            (empty != 0 && later != 0).then_some((empty, later))
        })
    }

    /// All ways to get these squares, beside those that a part has.
    fn add_parts<G: Geometry>(&mut self, g: G, line: u64, left: u64, part: Part) {
        if part.lines & !part.alone == 0 {
            return;
        }
        let square = left & left.wrapping_neg();
        if square == 0 {
            return self.add_part(part);
        }
        let rest = left ^ square;
        if square & self.claimevens() != 0 && part.used() & (square | square >> 1) == 0 {
            let alone = part.alone | self.lines.through(square);
            self.add_parts(g, line, rest, Part { alone, pairs: part.pairs | square >> 1, ..part });
        }
        let sooner = self.rules.has(Rule::Before) || self.rules.has(Rule::Specialbefore);
        if sooner && square & self.verticals() != 0 && part.used() & (square | square << 1) == 0 {
            let (lines, alone) =
                (part.lines & self.lines.through(square << 1), part.alone | self.lines.both(square, square << 1));
            self.add_parts(
                g,
                line,
                rest,
                Part { lines, alone, pairs: part.pairs | square, has_vertical: true, ..part },
            );
        }
        let special = self.rules.has(Rule::Specialbefore) && part.inverse == NO_INVERSE;
        if special && square & self.playable != 0 && part.used() & square == 0 {
            for other in EachSquare(self.playable & !line) {
                if g.column_of(word(g, other)) != g.column_of(word(g, square)) && part.used() & other == 0 {
                    let lines = part.lines & self.lines.through(other);
                    let alone = part.alone | self.lines.both(square, other);
                    let squares = square | other;
                    let inverse = inverse(g, square, other);
                    self.add_parts(g, line, rest, Part { lines, alone, squares, inverse, ..part });
                }
            }
        }
    }

    /// A way to get all squares.
    fn add_part(&mut self, part: Part) {
        let rule = match part {
            Part { inverse, .. } if inverse != NO_INVERSE => Rule::Specialbefore,
            Part { has_vertical: true, .. } => Rule::Before,
            _ => Rule::Aftereven,
        };
        if self.rules.has(rule) {
            let Part { lines, alone, pairs, squares, inverse, .. } = part;
            self.push(Choice { lines: lines | alone, pairs, squares, inverse });
        }
    }
}
