//! One player at many boards, as in a simultaneous exhibition.
//!
//! An engine behind a pipe spends as much time on waiting for the next question as on thought,
//! so questions of other games are under way meanwhile. Invariants: every game that is not over
//! has one question under way; answers come in the order of the questions; games are handed
//! over in the order in which they were begun, and none is left out.

use std::{
    collections::VecDeque,
    iter::Fuse,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::{Error, Result};

use super::players::{Answer, Line, Player};
use crate::learn::games::Game;

/// What a player is asked.
pub(super) struct Question<'a> {
    /// The game up to the position in question.
    pub(super) line: &'a Line,
    /// Nodes of thought about it.
    pub(super) nodes: u64,
    /// Whether the line has nothing to do with what this board asked before.
    pub(super) is_new: bool,
}

/// A game that is made question by question.
pub(super) trait Board {
    /// What to ask next; `None` once the game is over.
    fn question(&self) -> Option<Question<'_>>;

    /// Takes the answer to that.
    fn hear(&mut self, answer: Answer) -> Result<()>;

    /// The game, once it is over.
    fn finish(self) -> Game;
}

/// Has `player` play at `boards`, at as many at a time as it can, until there are no more; `keep`
/// gets what became of each. Once `stop` is set, games under way are left alone.
///
/// # Errors
/// When a board cannot be set up, after the games begun before it; at once if the player or `keep`
/// fails.
pub(super) fn play<B: Board>(
    player: &mut dyn Player,
    boards: impl Iterator<Item = Result<B>>,
    stop: &AtomicBool,
    mut keep: impl FnMut(&Game) -> Result<()>,
) -> Result<()> {
    let mut hall = Hall {
        player,
        waiting: boards.fuse(),
        failure: None,
        boards: VecDeque::new(),
        gone: 0,
        asked: VecDeque::new(),
    };
    while !stop.load(Relaxed) {
        hall.clear_away(&mut keep)?;
        hall.fill()?;
        if !hall.hear()? && hall.boards.is_empty() {
            return hall.failure.map_or(Ok(()), Err);
        }
    }
    Ok(())
}

/// Where the boards stand.
struct Hall<'a, B, I> {
    player: &'a mut dyn Player,
    /// Boards that are not set up yet.
    waiting: Fuse<I>,
    /// Why no further board can be set up.
    failure: Option<Error>,
    boards: VecDeque<B>,
    /// Boards that were cleared away: the number of the first one that stands.
    gone: usize,
    /// Numbers of the boards whose questions are under way, the oldest question first.
    asked: VecDeque<usize>,
}

impl<B: Board, I: Iterator<Item = Result<B>>> Hall<'_, B, I> {
    /// Hands over the games that are over and older than all others.
    fn clear_away(&mut self, keep: &mut impl FnMut(&Game) -> Result<()>) -> Result<()> {
        let is_over = |board: &mut B| board.question().is_none();
        while let Some(board) = self.boards.pop_front_if(is_over) {
            self.gone += 1;
            keep(&board.finish())?;
        }
        Ok(())
    }

    /// Sets up boards until the player has enough to think about.
    fn fill(&mut self) -> Result<()> {
        while self.failure.is_none() && self.asked.len() < self.player.boards() {
            match self.waiting.next() {
                None => break,
                Some(Err(error)) => self.failure = Some(error),
                Some(Ok(board)) => {
                    self.boards.push_back(board);
                    self.ask(self.gone + self.boards.len() - 1)?;
                }
            }
        }
        Ok(())
    }

    /// Asks what the board of that number wants to know, unless its game is over.
    fn ask(&mut self, number: usize) -> Result<()> {
        let board = &self.boards[number - self.gone];
        if let Some(question) = board.question() {
            if question.is_new {
                self.player.new_game(question.line.is_chess960())?;
            }
            self.player.ask(question.line, question.nodes)?;
            self.asked.push_back(number);
        }
        Ok(())
    }

    /// Waits for the oldest answer and goes on with that game; `false` if nothing is under way.
    fn hear(&mut self) -> Result<bool> {
        let Some(number) = self.asked.pop_front() else {
            return Ok(false);
        };
        let board = &mut self.boards[number - self.gone];
        let question = board.question().expect("it was asked");
        let answer = self.player.answer(question.line)?;
        board.hear(answer)?;
        self.ask(number)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::ensure;

    use super::*;
    use crate::{
        learn::{draft::Draft, games::GameResult},
        position,
        types::Score,
    };

    /// Plays the first legal move; answers with the nodes it was allowed as the score.
    struct Clerk {
        boards: usize,
        orders: VecDeque<(String, u64)>,
        /// Most questions under way at once, and new games.
        most: usize,
        new_games: usize,
    }

    fn clerk(boards: usize) -> Clerk {
        Clerk {
            boards,
            orders: VecDeque::new(),
            most: 0,
            new_games: 0,
        }
    }

    impl Player for Clerk {
        fn boards(&self) -> usize {
            self.boards
        }

        fn new_game(&mut self, _chess960: bool) -> Result<()> {
            self.new_games += 1;
            Ok(())
        }

        fn ask(&mut self, line: &Line, nodes: u64) -> Result<()> {
            self.orders.push_back((line.command().to_owned(), nodes));
            self.most = self.most.max(self.orders.len());
            Ok(())
        }

        fn answer(&mut self, line: &Line) -> Result<Answer> {
            let (command, nodes) = self.orders.pop_front().expect("it was asked");
            assert_eq!(command, line.command(), "the answer is about another game");
            ensure!(nodes != 13, "unlucky");
            Ok(Answer {
                mv: line.game().legal_moves()[0],
                score: Some(Score::from_centipawns(i32::try_from(nodes)?)),
            })
        }
    }

    /// A game of so many plies.
    struct Short {
        plies: usize,
        nodes: u64,
        line: Line,
        draft: Draft,
    }

    impl Board for Short {
        fn question(&self) -> Option<Question<'_>> {
            (self.draft.len() < self.plies).then_some(Question {
                line: &self.line,
                nodes: self.nodes,
                is_new: self.draft.is_empty(),
            })
        }

        fn hear(&mut self, answer: Answer) -> Result<()> {
            self.draft
                .add(answer.mv, answer.score.expect("the clerk tells"));
            self.line.play(answer.mv);
            Ok(())
        }

        fn finish(self) -> Game {
            self.draft.finish(GameResult::Draw)
        }
    }

    /// Length and score of a game.
    type Played = (usize, i16);

    /// Plies of a board that cannot be set up.
    const BROKEN: usize = 99;

    /// The games that were kept, how that ended, and who played them: `plies` by `boards` at a
    /// time, with 10 nodes a move in the first game, 11 in the second and so on.
    fn played(boards: usize, plies: &[usize]) -> (Vec<Played>, Result<()>, Clerk) {
        let mut clerk = clerk(boards);
        let mut games = Vec::new();
        let short = |(nodes, &plies)| {
            ensure!(plies != BROKEN, "broken");
            let game = position::Game::start();
            Ok(Short {
                plies,
                nodes,
                draft: Draft::new(game.chess()),
                line: Line::new(game),
            })
        };
        let waiting = (10..).zip(plies).map(short);
        let outcome = play(&mut clerk, waiting, &AtomicBool::new(false), |game| {
            let mut last = 0;
            game.replay(|_, _, score| last = score)?;
            games.push((game.len(), last));
            Ok(())
        });
        (games, outcome, clerk)
    }

    #[test]
    fn games_come_in_order_whoever_ends_first() {
        for boards in [1, 2, 3, 10] {
            let (games, outcome, clerk) = played(boards, &[9, 0, 4]);
            assert_eq!(games, [(9, 10), (0, 0), (4, 12)], "{boards} boards");
            assert!(outcome.is_ok());
            assert_eq!((clerk.most, clerk.new_games), (boards.min(2), 2));
        }
        let (games, outcome, _) = played(4, &[]);
        assert!(games.is_empty() && outcome.is_ok());
    }

    #[test]
    fn games_before_a_failure_are_kept() {
        for boards in [1, 2, 10] {
            let (games, outcome, _) = played(boards, &[5, 2, 7, BROKEN, 3]);
            assert_eq!(games, [(5, 10), (2, 11), (7, 12)], "{boards} boards");
            assert_eq!(outcome.unwrap_err().to_string(), "broken");
        }
        let (games, outcome, _) = played(1, &[3, 3, 3, 3, 3]);
        assert_eq!(games, [(3, 10), (3, 11), (3, 12)]);
        assert_eq!(outcome.unwrap_err().to_string(), "unlucky");
    }

    #[test]
    fn nothing_is_begun_once_all_stop() {
        let boards = std::iter::from_fn(|| -> Option<Result<Short>> { panic!("not wanted") });
        let stopped = AtomicBool::new(true);
        let outcome = play(&mut clerk(3), boards, &stopped, |_| panic!("no game"));
        assert!(outcome.is_ok());
    }
}
