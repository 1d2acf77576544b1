//! Moves that undo what happened, recognised by the keys of two positions alone.
//!
//! Two positions that differ by one move of one piece have keys that differ by the numbers
//! of that piece on both squares and of the side to move. The 3668 differences that
//! reversible moves make fit a small table in which each has two places (cuckoo hashing,
//! Pagh & Rodler 2001), so that a question takes two look-ups: the way of Marcel van
//! Kervinck (2013) to see a repetition one move before it happens. Invariant: every move
//! of a piece other than a pawn on an empty board is in the table, once for both
//! directions.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::keys::{piece_on, white_to_move};

const PLACES: usize = 1 << 13;

/// A piece that goes from one of two squares to the other.
#[derive(Clone, Copy)]
struct Entry {
    /// What it changes of a position's key.
    difference: u64,
    squares: (Square, Square),
}

static TABLE: LazyLock<Box<[Option<Entry>]>> = LazyLock::new(build);

/// The two squares between which a piece must go to change a key by `difference`, if a
/// single piece can do it on an empty board.
#[inline]
pub(super) fn squares_of(difference: u64) -> Option<(Square, Square)> {
    places(difference)
        .into_iter()
        .filter_map(|place| TABLE[place])
        .find(|entry| entry.difference == difference)
        .map(|entry| entry.squares)
}

/// The two places that a difference may have.
#[inline]
fn places(difference: u64) -> [usize; 2] {
    let place = |bits: u64| crate::types::convert::size(bits) % PLACES;
    [place(difference), place(difference >> 16)]
}

fn build() -> Box<[Option<Entry>]> {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for color in Color::ALL {
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Pawn) {
            let piece = Piece { color, role };
            for from in Square::ALL {
                let targets = attacks::attacks(from, piece, Bitboard::EMPTY);
                for to in targets.into_iter().filter(|to| from < *to) {
                    let difference = piece_on(from, piece) ^ piece_on(to, piece) ^ white_to_move();
                    insert(&mut table, difference, (from, to));
                }
            }
        }
    }
    table
}

/// Puts an entry into its first place; who lived there moves to the other one, and so on.
fn insert(table: &mut [Option<Entry>], difference: u64, squares: (Square, Square)) {
    let mut homeless = Entry {
        difference,
        squares,
    };
    let mut place = places(difference)[0];
    while let Some(evicted) = table[place].replace(homeless) {
        homeless = evicted;
        let [first, second] = places(homeless.difference);
        place = if place == first { second } else { first };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_known() {
        assert_eq!(TABLE.iter().flatten().count(), 3668);
        let (rook, king) = (Color::White.rook(), Color::Black.king());
        let number = |piece, from, to| piece_on(from, piece) ^ piece_on(to, piece);
        let (a1, a8) = (Square::A1, Square::A8);
        let turn = white_to_move();
        assert_eq!(squares_of(number(rook, a8, a1) ^ turn), Some((a1, a8)));
        assert_eq!(squares_of(number(rook, a8, a1)), None);
        assert_eq!(squares_of(number(king, a8, a1) ^ turn), None);
    }
}
