//! One player at many boards, as in a simultaneous exhibition.
//!
//! An engine behind a pipe spends as much time on waiting for the next question as on thought,
//! so questions of other games are under way meanwhile. Invariants: every game that is not over
//! has one question under way; answers come in the order of the questions; games are handed
//! over in the order in which they were begun.

use std::collections::VecDeque;

use anyhow::Result;

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

/// Has `player` play at as many boards as it can.
///
/// `begin` sets up a board, given how many were set up before, as long as there are any;
/// `keep` gets what became of each.
pub(super) fn play<B: Board>(
    player: &mut dyn Player,
    mut begin: impl FnMut(usize) -> Result<Option<B>>,
    mut keep: impl FnMut(&Game) -> Result<()>,
) -> Result<()> {
    let mut hall = Hall {
        player,
        boards: VecDeque::new(),
        gone: 0,
        asked: VecDeque::new(),
    };
    loop {
        hall.clear_away(&mut keep)?;
        hall.fill(&mut begin)?;
        if !hall.hear()? && hall.boards.is_empty() {
            return Ok(());
        }
    }
}

/// Where the boards stand.
struct Hall<'a, B> {
    player: &'a mut dyn Player,
    boards: VecDeque<B>,
    /// Boards that were cleared away: the number of the first one that stands.
    gone: usize,
    /// Numbers of the boards whose questions are under way, the oldest question first.
    asked: VecDeque<usize>,
}

impl<B: Board> Hall<'_, B> {
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
    fn fill(&mut self, begin: &mut impl FnMut(usize) -> Result<Option<B>>) -> Result<()> {
        while self.asked.len() < self.player.boards() {
            let number = self.gone + self.boards.len();
            let Some(board) = begin(number)? else { break };
            self.boards.push_back(board);
            self.ask(number)?;
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
        if let Some(question) = board.question() {
            let answer = self.player.answer(question.line)?;
            board.hear(answer)?;
        }
        self.ask(number)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::ensure;
    use shakmaty::CastlingMode;

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

    /// Length and scores of the games, and who played them: `plies` by `boards` at a time, with
    /// 10 nodes a move in the first game, 11 in the second and so on.
    fn played(boards: usize, plies: &[usize]) -> (Result<Vec<(usize, i16)>>, Clerk) {
        let mut clerk = Clerk {
            boards,
            orders: VecDeque::new(),
            most: 0,
            new_games: 0,
        };
        let mut games = Vec::new();
        let begin = |number: usize| {
            let game = position::Game::start();
            Ok(plies.get(number).map(|&plies| Short {
                plies,
                nodes: 10 + number as u64,
                draft: Draft::new(game.chess()),
                line: Line::new(game, CastlingMode::Standard),
            }))
        };
        let outcome = play(&mut clerk, begin, |game| {
            let mut last = 0;
            game.replay(|_, _, score| last = score)?;
            games.push((game.len(), last));
            Ok(())
        });
        (outcome.map(|()| games), clerk)
    }

    #[test]
    fn games_come_in_order_whoever_ends_first() {
        let plies = [9, 0, 4];
        for boards in [1, 2, 3, 10] {
            let (games, clerk) = played(boards, &plies);
            assert_eq!(
                games.unwrap(),
                [(9, 10), (0, 0), (4, 12)],
                "{boards} boards"
            );
            assert_eq!((clerk.most, clerk.new_games), (boards.min(2), 2));
        }
    }

    #[test]
    fn no_games_are_fine_and_failures_end_all() {
        assert!(played(4, &[]).0.unwrap().is_empty());
        let (games, _) = played(2, &[3, 3, 3, 3, 3]);
        assert_eq!(games.unwrap_err().to_string(), "unlucky");
    }
}
