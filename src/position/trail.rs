//! Repetition: the keys of the positions that led here.
//!
//! A stack that starts with the game's reversible history and grows and shrinks with
//! the line being searched. Whoever searches a node pushes its key before going to a
//! child, and pops it after.
//!
//! Invariant: at a node `ply` plies below the root, the `ply` topmost keys are those of
//! the line from the root to the node's parent.

use shakmaty::attacks;

use super::{Game, Position, cycle};
use crate::types::Ply;

/// Earlier occurrences are at least this many plies away.
const SHORTEST_CYCLE: usize = 4;

/// The keys of the earlier positions, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    keys: Vec<u64>,
    /// How many keys lie before each null move of the line: no cycle reaches across one.
    nulls: Vec<usize>,
}

impl Trail {
    /// The positions before the root of `game`; the root itself is pushed by the search.
    pub fn new(game: &Game) -> Self {
        Self {
            keys: game.earlier_keys().to_vec(),
            nulls: Vec::new(),
        }
    }

    /// Enters a child of the position with this key.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Enters the child of the position with this key by a null move.
    #[inline]
    pub fn push_null(&mut self, key: u64) {
        self.keys.push(key);
        self.nulls.push(self.keys.len());
    }

    /// Comes back from the child.
    #[inline]
    pub fn pop(&mut self) {
        if self.nulls.last() == Some(&self.keys.len()) {
            self.nulls.pop();
        }
        self.keys.pop();
    }

    /// Whether the position with `key`, `ply` plies below the root, is to be scored as a
    /// draw: it occurred before within the tree, after the root, so that either side could
    /// force it again; or it occurred twice before in the whole game, which is the rule.
    #[inline]
    pub fn is_repetition(&self, key: u64, halfmoves: u32, ply: Ply) -> bool {
        let reversible = usize::try_from(halfmoves).unwrap_or(usize::MAX);
        let mut seen = 0;
        let mut back = SHORTEST_CYCLE;
        let reach = self.keys.len() - self.nulls.last().copied().unwrap_or(0);
        while back <= reversible.min(reach) {
            if self.keys[self.keys.len() - back] == key {
                seen += 1;
                if back < ply.index() || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move at `position`, `ply` plies below the root, can repeat a
    /// position of the tree with one move, which then scores as a draw.
    #[inline]
    pub fn can_repeat(&self, position: &Position, ply: Ply) -> bool {
        let reversible = usize::try_from(position.halfmoves()).unwrap_or(usize::MAX);
        let reach = self.keys.len() - self.nulls.last().copied().unwrap_or(0);
        let reach = reversible.min(reach).min(ply.index().saturating_sub(1));
        (SHORTEST_CYCLE - 1..=reach).step_by(2).any(|back| {
            let difference = position.key() ^ self.keys[self.keys.len() - back];
            cycle::squares_of(difference).is_some_and(|(one, other)| {
                let board = position.board();
                let mover = board.color_at(one).or_else(|| board.color_at(other));
                let path = attacks::between(one, other);
                mover == Some(position.turn()) && (path & board.occupied()).is_empty()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::SmallRng};

    use super::*;
    use crate::types::MoveList;

    fn trail(keys: &[u64]) -> Trail {
        Trail {
            keys: keys.to_vec(),
            nulls: Vec::new(),
        }
    }

    #[test]
    fn once_within_the_tree_or_twice_in_all() {
        // Four plies ago: the root itself counts as played, its child as searched.
        let once = trail(&[7, 1, 2, 3]);
        assert!(!once.is_repetition(7, 50, Ply::ROOT));
        assert!(!once.is_repetition(7, 50, Ply::new(4)));
        assert!(once.is_repetition(7, 50, Ply::new(5)));
        let twice = trail(&[7, 1, 2, 3, 7, 4, 5, 6]);
        assert!(twice.is_repetition(7, 50, Ply::ROOT));
        assert!(!twice.is_repetition(1, 50, Ply::ROOT));
    }

    #[test]
    fn nothing_before_an_irreversible_move_counts() {
        let trail = trail(&[7, 1, 2, 3, 7, 4, 5, 6]);
        assert!(!trail.is_repetition(7, 7, Ply::ROOT));
        assert!(!trail.is_repetition(7, 3, Ply::new(8)));
    }

    /// Whether some move leads back to a position of the line after its start.
    fn some_move_repeats(trail: &Trail, position: &Position, ply: u16) -> bool {
        let mut moves = MoveList::new();
        position.generate_all(&mut moves);
        let line = &trail.keys[trail.keys.len() - usize::from(ply)..];
        moves.iter().any(|mv| {
            let key = position.play(*mv).key();
            line.iter().skip(1).any(|earlier| *earlier == key)
        })
    }

    /// Walks at random, and counts the positions without and with an upcoming repetition.
    fn walk(rng: &mut SmallRng, fen: &str, counts: &mut [u32; 2]) {
        let game = Game::from_fen(fen, false).unwrap();
        let mut trail = Trail::new(&game);
        let mut position = game.position();
        for ply in 0..40 {
            let expected = some_move_repeats(&trail, &position, ply);
            let board = position.board();
            let found = trail.can_repeat(&position, Ply::new(ply));
            assert_eq!(found, expected, "{board}");
            counts[usize::from(expected)] += 1;
            let mut moves = MoveList::new();
            position.generate_all(&mut moves);
            if moves.is_empty() {
                return;
            }
            trail.push(position.key());
            position = position.play(moves[rng.random_range(0..moves.len())]);
        }
    }

    #[test]
    fn a_repetition_is_seen_before_it_happens() {
        let mut rng = SmallRng::seed_from_u64(4);
        let mut counts = [0, 0];
        for _ in 0..300 {
            walk(&mut rng, "8/8/4k3/8/8/2R1K3/8/8 w - - 0 1", &mut counts);
            let castling = "4k2r/8/8/3b4/8/8/4N3/R3K3 w Qk - 0 1";
            walk(&mut rng, castling, &mut counts);
        }
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }

    #[test]
    fn follows_a_game_and_a_line() {
        let mut game = Game::start();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            game.play_uci(mv).unwrap();
        }
        let mut trail = Trail::new(&game);
        let start = game.position();
        let is_draw = |trail: &Trail, ply| trail.is_repetition(start.key(), 8, Ply::new(ply));
        assert!(!is_draw(&trail, 0));
        for key in [start.key(), 1, 2, 3] {
            trail.push(key);
        }
        assert!(is_draw(&trail, 4));
        trail.pop();
        assert!(!is_draw(&trail, 3));
    }
}
