//! How games begin: a start position and some random legal moves.

use anyhow::Result;
use rand::{Rng, seq::IndexedRandom};
use viriformat::chess::board::Board;

use super::{
    players::{Line, Player},
    referee,
};
use crate::{position::Game, types::Score};

/// Number of double Fischer random start positions: 960 for each side.
const DOUBLE_FISCHER: usize = 960 * 960;

/// Which openings are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Openings {
    /// Fewest random plies.
    pub min_plies: usize,
    /// Most random plies.
    pub max_plies: usize,
    /// Share of games from double Fischer random start positions, 0 to 1.
    pub dfrc: f64,
    /// An opening whose score is beyond this many centipawns is already lost, and discarded.
    pub max_score: i32,
}

impl Openings {
    /// A random opening; `None` if the game was over on the way.
    pub(in crate::learn) fn draw(&self, rng: &mut impl Rng) -> Option<Line> {
        let game = if rng.random_bool(self.dfrc.clamp(0.0, 1.0)) {
            let mut board = Board::new();
            board.set_dfrc_idx(rng.random_range(0..DOUBLE_FISCHER));
            Game::from_fen(&board.to_string(), true).ok()?
        } else {
            Game::start()
        };
        self.stir(game, rng)
    }

    /// The opening that random moves make of `game`; `None` if it was over on the way.
    pub(super) fn stir(&self, mut game: Game, rng: &mut impl Rng) -> Option<Line> {
        let most = self.max_plies.max(self.min_plies);
        for _ in 0..rng.random_range(self.min_plies..=most) {
            let mv = *game.legal_moves().choose(rng)?;
            game.play(mv);
        }
        referee::by_rule(&game).is_none().then(|| Line::new(game))
    }

    /// Whether an opening is not yet lost, as `judge` sees it, who begins a new game with it.
    pub(in crate::learn) fn is_playable(
        &self,
        line: &Line,
        judge: &mut dyn Player,
        nodes: u64,
    ) -> Result<bool> {
        judge.new_game(line.is_chess960())?;
        Ok(self.accept(judge.think(line, nodes)?.score))
    }

    /// Whether an opening with that score is not yet lost.
    pub(super) fn accept(&self, score: Option<Score>) -> bool {
        score.unwrap_or(Score::DRAW).centipawns().abs() <= self.max_score
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{SeedableRng, rngs::SmallRng};

    use super::*;
    use crate::learn::{draft::Draft, games::GameResult};

    const OPENINGS: Openings = Openings {
        min_plies: 4,
        max_plies: 9,
        dfrc: 0.5,
        max_score: 200,
    };

    #[test]
    fn openings_differ_and_survive_the_file() {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut seen = HashSet::new();
        let mut shuffled = 0;
        for _ in 0..300 {
            let line = OPENINGS.draw(&mut rng).unwrap();
            let game = line.game();
            shuffled += usize::from(line.is_chess960());
            seen.insert(game.position().key());
            let written = Draft::new(game.chess()).finish(GameResult::Draw);
            assert_eq!(&written.start().unwrap(), game.chess(), "{}", game.fen());
        }
        assert!(seen.len() > 290, "{} different openings", seen.len());
        assert!((100..200).contains(&shuffled), "{shuffled} shuffled ones");
    }

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        let fens = |seed| {
            let mut rng = SmallRng::seed_from_u64(seed);
            let lines = (0..5).filter_map(|_| OPENINGS.draw(&mut rng));
            lines.map(|line| line.game().fen()).collect::<Vec<_>>()
        };
        assert_eq!(fens(7), fens(7));
        assert_ne!(fens(7), fens(8));
    }
}
