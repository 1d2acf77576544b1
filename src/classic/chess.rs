//! Chess as a [`State`]: positions without a history, evaluated by `tapered`.
//!
//! Moves are tried captures first, the most valuable victim by the least valuable attacker
//! first (MVV-LVA), then the others as generated: a fixed order that needs no memory.
//! Invariant: the value of a position depends on the position and its distance from the
//! root alone. So repetitions and the fifty-move rule, which depend on the way, are left
//! out, and mates count from the root.

use shakmaty::{Move, Position as _, Role};

use super::{State, Unrest};
use crate::{
    position::Position,
    tapered,
    types::{MoveList, PackedMove, Ply, Score},
};

/// A position and how it was reached.
#[derive(Clone, Debug)]
pub struct Chess {
    position: Position,
    ply: Ply,
    last: Option<(PackedMove, Move)>,
}

impl Chess {
    /// The root of a tree.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            ply: Ply::ROOT,
            last: None,
        }
    }

    /// Neither side can mate, whatever happens.
    fn is_dead(&self) -> bool {
        self.position.is_insufficient_material()
    }

    /// Captures and promotions to a queen, the most valuable victim first, of equal ones the
    /// least valuable attacker.
    fn captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.position.generate_noisy(&mut list);
        list.sort_by_key(|&mv| {
            let victim = self.position.captured_role(mv).map_or(0, rank);
            let gain = victim + mv.promoted().map_or(0, rank);
            (-gain, rank(self.position.moved_role(mv)))
        });
        list
    }

    fn all_moves(&self) -> Vec<PackedMove> {
        let mut list = self.captures();
        self.position.generate_quiets(&mut list);
        list.to_vec()
    }
}

/// The order of the pieces by value, the king last.
fn rank(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight => 2,
        Role::Bishop => 3,
        Role::Rook => 4,
        Role::Queen => 5,
        Role::King => 6,
    }
}

impl State for Chess {
    type Move = PackedMove;

    fn moves(&self) -> Vec<PackedMove> {
        if self.is_dead() {
            Vec::new()
        } else {
            self.all_moves()
        }
    }

    fn make(&self, mv: PackedMove) -> Self {
        Self {
            position: self.position.play(mv),
            ply: self.ply.next(),
            last: Some((mv, self.position.unpack(mv))),
        }
    }

    fn evaluate(&self) -> Score {
        if self.is_dead() {
            Score::DRAW
        } else if self.position.has_legal_move() {
            tapered::evaluate(&self.position)
        } else if self.position.in_check() {
            Score::mated_in(self.ply)
        } else {
            Score::DRAW
        }
    }

    fn last_move(&self) -> Option<PackedMove> {
        self.last.map(|(mv, _)| mv)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn name(&self) -> String {
        let mode = self.position.chess().castles().mode();
        self.last
            .map_or_else(String::new, |(_, mv)| mv.to_uci(mode).to_string())
    }

    /// In check every evasion; else captures and promotions to a queen, or none of them.
    /// Stalemate is not looked for.
    fn unrest(&self) -> Unrest<PackedMove> {
        if self.is_dead() {
            Unrest {
                stand_pat: Some(Score::DRAW),
                moves: Vec::new(),
            }
        } else if self.position.in_check() {
            Unrest {
                stand_pat: None,
                moves: self.all_moves(),
            }
        } else {
            Unrest {
                stand_pat: Some(tapered::evaluate(&self.position)),
                moves: self.captures().to_vec(),
            }
        }
    }

    fn pass(&self) -> Option<Self> {
        let possible = !self.position.in_check();
        possible.then(|| Self {
            position: self.position.play_null(),
            ply: self.ply.next(),
            last: None,
        })
    }

    fn pieces(&self) -> [usize; 2] {
        let board = self.position.board();
        let pieces = board.occupied() & !(board.pawns() | board.kings());
        let turn = self.position.turn();
        [turn, !turn].map(|color| (pieces & board.by_color(color)).count())
    }
}
