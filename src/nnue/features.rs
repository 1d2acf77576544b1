//! The network's inputs: one for each piece on each square and each condition it can be in, seen
//! by one side.
//!
//! The board is turned so that the beholder plays up the board, and mirrored left to
//! right when the beholder's king stands on the files e to h: a position and its
//! mirror image then share all weights (a custom of current engines, which halves
//! what must be learned). The king's square may further select one of several sets
//! of weights, a king bucket (`HalfKA`, as in Stockfish since 2021, made coarser).

use shakmaty::{Color, Square};

use super::{arch, inputs::Man};
use crate::types::convert;

/// Kinds of pieces as one side sees them: its own six roles, then the opponent's.
pub const KINDS: usize = 12;

/// Sets of inputs for one king bucket: one for each kind of piece in each condition, which has an
/// input for each square.
pub const SETS: usize = FIRST_SET[KINDS];

/// The number of each kind's first set and, last, how many sets there are.
const FIRST_SET: [usize; KINDS + 1] = {
    let mut first = [0; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        first[kind + 1] = first[kind] + conditions(kind);
        kind += 1;
    }
    first
};

/// The set of every man by his code, as either side sees him; one look-up instead of a computation,
/// because it is asked for all that a move changes. Codes that no man has are no matter.
static SET: [[u16; Man::CODES]; 2] = {
    let mut sets = [[0; Man::CODES]; 2];
    let mut code = 0;
    while code < 2 * Man::CODES {
        let (beholder, man) = (code / Man::CODES, Man::of_code(code % Man::CODES));
        if let Some(role) = man.role() {
            let own = man.is_of(Color::from_white(beholder == Color::White as usize));
            let kind = if own { role } else { KINDS / 2 + role };
            sets[beholder][code % Man::CODES] =
                convert::low_u16((FIRST_SET[kind] + man.condition()) as u64);
        }
        code += 1;
    }
    sets
};

/// How many conditions pieces of `kind` can be in.
pub const fn conditions(kind: usize) -> usize {
    arch::CONDITIONS[kind % arch::CONDITIONS.len()]
}

/// The kind of piece that set number `set` belongs to, whatever the king bucket.
pub const fn kind(set: usize) -> usize {
    let mut kind = 0;
    while FIRST_SET[kind + 1] <= set % SETS {
        kind += 1;
    }
    kind
}

/// A partition of the king's squares; the squares of one part share input weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingBuckets {
    name: &'static str,
    count: usize,
    /// Bucket by square, from the beholder's side, files e to h as their mirror image.
    map: [u8; 64],
}

impl KingBuckets {
    /// One set of weights for every square of the king.
    pub const SINGLE: Self = Self::from_ranks("single", 1, [[0; 4]; 8]);

    /// Corner, centre of the first rank, second rank, and the rest of the board.
    pub const FOUR: Self = Self::from_ranks(
        "four",
        4,
        [
            [0, 0, 1, 1],
            [2, 2, 2, 2],
            [3, 3, 3, 3],
            [3, 3, 3, 3],
            [3, 3, 3, 3],
            [3, 3, 3, 3],
            [3, 3, 3, 3],
            [3, 3, 3, 3],
        ],
    );

    /// Four squares of the first rank, two halves of the second, and two of the rest.
    pub const EIGHT: Self = Self::from_ranks(
        "eight",
        8,
        [
            [0, 1, 2, 3],
            [4, 4, 5, 5],
            [6, 6, 6, 6],
            [6, 6, 6, 6],
            [7, 7, 7, 7],
            [7, 7, 7, 7],
            [7, 7, 7, 7],
            [7, 7, 7, 7],
        ],
    );

    /// Every partition that can be trained.
    pub const ALL: [Self; 3] = [Self::SINGLE, Self::FOUR, Self::EIGHT];

    /// `ranks` lists the buckets of the files a to d, the first rank first.
    const fn from_ranks(name: &'static str, count: usize, ranks: [[u8; 4]; 8]) -> Self {
        let mut map = [0; 64];
        let mut square = 0;
        while square < 64 {
            let file = square % 8;
            let folded = if file < 4 { file } else { 7 - file };
            map[square] = ranks[square / 8][folded];
            square += 1;
        }
        Self { name, count, map }
    }

    /// The partition of this name, if there is one.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|buckets| buckets.name == name)
    }

    /// Its name, as on the command line and in a network's header.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Number of buckets, at least 1.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The view of `beholder` whose king stands on `king`.
    pub const fn view(&self, beholder: Color, king: Square) -> View {
        let turn = match beholder {
            Color::White => 0,
            Color::Black => 56,
        };
        let mirror = if king as usize & 4 == 0 { 0 } else { 7 };
        View {
            beholder,
            flip: turn ^ mirror,
            bucket: self.map[king as usize ^ turn],
        }
    }
}

/// How one side looks at the board; decides where each piece enters the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    beholder: Color,
    flip: usize,
    bucket: u8,
}

impl View {
    /// The view of `beholder` in the engine's own network.
    pub const fn new(beholder: Color, king: Square) -> Self {
        arch::KING_BUCKETS.view(beholder, king)
    }

    /// Row of the first layer for `man` on `square`.
    #[inline]
    pub const fn row(self, square: Square, man: Man) -> usize {
        let set = SET[self.beholder as usize][man.code()] as usize;
        (self.bucket as usize * SETS + set) * 64 + (square as usize ^ self.flip)
    }

    /// Index of the accumulator cache for this view: the half of the board, then the bucket.
    pub const fn slot(self) -> usize {
        self.bucket as usize * 2 + (self.flip & 1)
    }

    /// Number of different values of [`View::slot`].
    pub const SLOTS: usize = 2 * arch::KING_BUCKETS.count();
}

#[cfg(test)]
mod tests {
    use shakmaty::Piece;

    use super::*;

    #[test]
    fn mirrored_positions_share_their_inputs() {
        let knight = |color: Color| Man::new(color.knight(), 5);
        let (man, black) = (knight(Color::White), knight(Color::Black));
        for buckets in KingBuckets::ALL {
            for king in Square::ALL {
                let view = buckets.view(Color::White, king);
                let mirrored = buckets.view(Color::White, king.flip_horizontal());
                let turned = buckets.view(Color::Black, king.flip_vertical());
                for square in Square::ALL {
                    let row = view.row(square, man);
                    assert!(row < arch::INPUTS_PER_BUCKET * buckets.count());
                    assert_eq!(row, mirrored.row(square.flip_horizontal(), man));
                    assert_eq!(row, turned.row(square.flip_vertical(), black));
                }
            }
        }
    }

    #[test]
    fn inputs_of_one_view_differ() {
        let view = View::new(Color::Black, Square::E8);
        let mut seen = std::collections::HashSet::new();
        for color in Color::ALL {
            for (role, conditions) in shakmaty::Role::ALL.into_iter().zip([16, 8, 8, 8, 8, 32]) {
                let piece = Piece { color, role };
                let side = if color == Color::Black { 0 } else { 6 };
                for condition in 0..conditions {
                    for square in Square::ALL {
                        let row = view.row(square, Man::new(piece, condition));
                        assert!(seen.insert(row));
                        assert_eq!(kind(row / 64), side + role as usize - 1);
                    }
                }
            }
        }
        assert_eq!(seen.len(), arch::INPUTS_PER_BUCKET);
    }
}
