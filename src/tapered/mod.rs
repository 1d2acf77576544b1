//! The classical evaluation: material and piece-square values, blended by what is left
//! on the board (tapered), with a little about mobility, passed pawns and the king.
//!
//! It needs no file, hence serves where no network is loaded. Values are in centipawns;
//! those that are not in the tables come from a logistic regression on scored games. Invariant: mirroring the colours changes nothing, because
//! each side is judged by the same code, and nothing but the board and the side to move
//! is looked at.

mod pair;
mod tables;

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use crate::{
    position::Position,
    types::{Score, convert},
};
use pair::Pair;

/// What the right to move is worth, on average.
const TEMPO: i32 = 20;

/// Weight of all pieces of both sides: a minor piece 1, a rook 2, a queen 4.
const FULL_BOARD: i32 = 24;

/// Two bishops cover both colours of squares.
const BISHOP_PAIR: Pair = Pair::new(18, 43);

/// A pawn that no enemy pawn can stop or take, by rank; on top of its square's value.
const PASSED: [Pair; 8] = [
    Pair::ZERO,
    Pair::ZERO,
    Pair::new(0, 10),
    Pair::new(0, 16),
    Pair::new(15, 20),
    Pair::new(30, 20),
    Pair::new(20, 20),
    Pair::ZERO,
];

/// What a kind of piece gets out of the squares it attacks.
struct Activity {
    /// Value of a square it can go to without being taken by a pawn.
    step: Pair,
    /// Number of such squares that is worth nothing, being usual.
    usual: i32,
    /// Weight of an attacked square beside the enemy king.
    danger: i32,
}

const KNIGHT: Activity = Activity {
    step: Pair::new(7, 4),
    usual: 4,
    danger: 2,
};
const BISHOP: Activity = Activity {
    step: Pair::new(7, 1),
    usual: 6,
    danger: 2,
};
const ROOK: Activity = Activity {
    step: Pair::new(6, 1),
    usual: 7,
    danger: 3,
};
const QUEEN: Activity = Activity {
    step: Pair::new(3, 1),
    usual: 13,
    danger: 4,
};

/// Attacks on the king add up more than proportionally: weight squared over this.
const DANGER_DIVISOR: i32 = 4;
/// No attack is worth more than this without a look at the moves.
const DANGER_LIMIT: i32 = 500;

/// The static evaluation of `position` for the side to move.
pub fn evaluate(position: &Position) -> Score {
    Score::evaluation(evaluate_board(position.board(), position.turn()))
}

/// The static evaluation of `board` for the side `turn` to move, in centipawns.
pub fn evaluate_board(board: &Board, turn: Color) -> i32 {
    let balance = side(board, turn) - side(board, !turn);
    let phase = phase(board).min(FULL_BOARD);
    let blend = balance.middlegame() * phase + balance.endgame() * (FULL_BOARD - phase);
    TEMPO + blend / FULL_BOARD
}

/// How full the board is, from 0 (kings and pawns) to [`FULL_BOARD`] and, after
/// promotions, beyond.
fn phase(board: &Board) -> i32 {
    let minor = count(board.knights() | board.bishops());
    minor + 2 * count(board.rooks()) + 4 * count(board.queens())
}

/// All that `us` has.
fn side(board: &Board, us: Color) -> Pair {
    let mut tally = Tally::new(board, us);
    tally.place(Role::Pawn, &tables::PAWN);
    tally.place(Role::King, &tables::KING);
    tally.deploy(Role::Knight, &tables::KNIGHT, &KNIGHT, |square, _| {
        attacks::knight_attacks(square)
    });
    tally.deploy(
        Role::Bishop,
        &tables::BISHOP,
        &BISHOP,
        attacks::bishop_attacks,
    );
    tally.deploy(Role::Rook, &tables::ROOK, &ROOK, attacks::rook_attacks);
    tally.deploy(Role::Queen, &tables::QUEEN, &QUEEN, attacks::queen_attacks);
    tally.total() + passed_pawns(board, us) + bishop_pair(board, us)
}

/// The sum over the pieces of one side, and what they need to know of the board.
struct Tally<'a> {
    board: &'a Board,
    us: Color,
    own: Bitboard,
    /// Squares neither occupied by own pieces nor attacked by enemy pawns.
    free: Bitboard,
    /// Squares beside the enemy king.
    zone: Bitboard,
    sum: Pair,
    danger: i32,
}

impl<'a> Tally<'a> {
    fn new(board: &'a Board, us: Color) -> Self {
        let own = board.by_color(us);
        Self {
            board,
            us,
            own,
            free: !(own | pawn_attacks(board, !us)),
            zone: board
                .king_of(!us)
                .map_or(Bitboard::EMPTY, attacks::king_attacks),
            sum: Pair::ZERO,
            danger: 0,
        }
    }

    /// Adds the squares of all own pieces of `role`.
    #[inline]
    fn place(&mut self, role: Role, values: &[Pair; 64]) {
        for square in self.board.by_role(role) & self.own {
            self.sum += values[usize::from(relative(square, self.us))];
        }
    }

    /// Adds the squares, the mobility and the threats of all own pieces of `role`.
    #[inline]
    fn deploy(
        &mut self,
        role: Role,
        values: &[Pair; 64],
        activity: &Activity,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        for square in self.board.by_role(role) & self.own {
            let attacked = attacks(square, self.board.occupied());
            self.sum += values[usize::from(relative(square, self.us))];
            self.sum += activity.step * (count(attacked & self.free) - activity.usual);
            self.danger += activity.danger * count(attacked & self.zone);
        }
    }

    fn total(&self) -> Pair {
        let danger = (self.danger * self.danger / DANGER_DIVISOR).min(DANGER_LIMIT);
        self.sum + Pair::new(convert::saturate_i16(danger), 0)
    }
}

/// Squares attacked by the pawns of `color`.
fn pawn_attacks(board: &Board, color: Color) -> Bitboard {
    let pawns = board.pawns() & board.by_color(color);
    let forward = color.fold_wb(8, -8);
    sides_of(pawns).shift(forward)
}

/// The squares left and right of `squares`.
fn sides_of(squares: Bitboard) -> Bitboard {
    squares.without(shakmaty::File::A).shift(-1) | squares.without(shakmaty::File::H).shift(1)
}

fn passed_pawns(board: &Board, us: Color) -> Pair {
    let own = upwards(board.pawns() & board.by_color(us), us);
    let theirs = upwards(board.pawns() & board.by_color(!us), us);
    let mut guarded = (theirs | sides_of(theirs)).shift(-8);
    guarded |= guarded.shift(-8);
    guarded |= guarded.shift(-16);
    guarded |= guarded.shift(-32);
    let mut sum = Pair::ZERO;
    for square in own & !guarded {
        sum += PASSED[usize::from(square.rank())];
    }
    sum
}

fn bishop_pair(board: &Board, us: Color) -> Pair {
    let bishops = board.bishops() & board.by_color(us);
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        BISHOP_PAIR
    } else {
        Pair::ZERO
    }
}

/// `square` as `us` sees it: own back rank below.
fn relative(square: Square, us: Color) -> Square {
    us.fold_wb(square, square.flip_vertical())
}

/// `squares` as `us` sees them: own back rank below.
fn upwards(squares: Bitboard, us: Color) -> Bitboard {
    us.fold_wb(squares, squares.flip_vertical())
}

fn count(squares: Bitboard) -> i32 {
    convert::count_i32(squares.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(placement: &str, turn: Color) -> i32 {
        evaluate_board(&placement.parse().unwrap(), turn)
    }

    const BOARDS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R",
        "4k3/8/8/8/8/8/8/4KQQQ",
        "QQQQQQQQ/QQQQQQQQ/QQ6/8/8/8/8/k6K",
    ];

    #[test]
    fn mirroring_the_colours_changes_nothing() {
        for board in BOARDS {
            let board: Board = board.parse().unwrap();
            for turn in Color::ALL {
                let mirrored = board.clone().into_mirrored();
                assert_eq!(
                    evaluate_board(&board, turn),
                    evaluate_board(&mirrored, !turn)
                );
            }
        }
    }

    #[test]
    fn the_starting_position_is_worth_the_move() {
        assert_eq!(value(BOARDS[0], Color::White), TEMPO);
    }

    #[test]
    fn what_one_side_gains_the_other_loses() {
        for board in BOARDS {
            let (white, black) = (value(board, Color::White), value(board, Color::Black));
            assert_eq!(white - TEMPO, TEMPO - black);
        }
    }

    #[test]
    fn terms_point_the_right_way() {
        let passed = |placement: &str| passed_pawns(&placement.parse().unwrap(), Color::White);
        assert_eq!(passed("4k3/8/p7/1P6/8/8/8/4K3"), Pair::ZERO, "guarded");
        assert_eq!(passed("4k3/1p6/8/1P6/8/8/8/4K3"), Pair::ZERO, "blocked");
        assert_eq!(passed("4k3/8/8/pP5p/8/8/8/4K3"), PASSED[4], "out of reach");
        let pair = |placement: &str| bishop_pair(&placement.parse().unwrap(), Color::White);
        assert_eq!(pair("4k3/8/8/8/8/8/8/2B1KB2"), BISHOP_PAIR);
        assert_eq!(pair("4k3/8/8/8/8/8/8/1B2KB2"), Pair::ZERO, "same colour");
    }
}
