//! When a game is over: by the rules, or because both the scores and patience say so.

use shakmaty::Color;

use crate::{
    learn::games::GameResult,
    position::{Game, Trail},
    types::{Ply, Score},
};

/// Half moves without progress that make a draw.
const FIFTY_MOVES: u32 = 100;

/// When a game is given up or agreed drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A game is won once the score has been so many centipawns or more …
    pub win_score: i32,
    /// … for so many plies in a row. A proven win needs one.
    pub win_plies: usize,
    /// A game is drawn once the score has been within so many centipawns …
    pub draw_score: i32,
    /// … for so many plies in a row …
    pub draw_plies: usize,
    /// … after so many plies of the game.
    pub draw_from: usize,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
}

/// Watches one game.
pub(in crate::learn) struct Referee<'a> {
    rules: &'a Rules,
    plies: usize,
    /// Who has been winning lately, and for how many plies.
    winning: (Option<Color>, usize),
    /// Plies of balance up to now.
    balanced: usize,
}

impl<'a> Referee<'a> {
    pub(in crate::learn) fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            plies: 0,
            winning: (None, 0),
            balanced: 0,
        }
    }

    /// The result by the rules of chess, or by length.
    pub(in crate::learn) fn by_rule(&self, game: &Game) -> Option<GameResult> {
        let endless = self.plies >= self.rules.max_plies;
        by_rule(game).or_else(|| endless.then_some(GameResult::Draw))
    }

    /// Takes note of the score for White before the move just played, and says whether
    /// that ends the game.
    pub(in crate::learn) fn by_score(&mut self, score: Score) -> Option<GameResult> {
        self.plies += 1;
        let value = score.centipawns();
        let leader = (value.abs() >= self.rules.win_score).then(|| Color::from_white(value > 0));
        let before = if leader == self.winning.0 {
            self.winning.1
        } else {
            0
        };
        self.winning = (leader, before + 1);
        let level = value.abs() <= self.rules.draw_score && self.plies > self.rules.draw_from;
        self.balanced = if level { self.balanced + 1 } else { 0 };
        if score.is_decisive() {
            return Some(won_by(Color::from_white(score.is_win())));
        }
        let won = leader.filter(|_| self.winning.1 >= self.rules.win_plies);
        let drawn = self.balanced >= self.rules.draw_plies.max(1);
        won.map(won_by)
            .or_else(|| drawn.then_some(GameResult::Draw))
    }
}

fn won_by(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

/// The result by the rules of chess: mate, stalemate, too little material, fifty moves
/// without progress, the third occurrence of a position.
pub(super) fn by_rule(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if !position.has_legal_move() {
        let turn = position.turn();
        let mated = position.in_check();
        return Some(if mated {
            won_by(!turn)
        } else {
            GameResult::Draw
        });
    }
    let halfmoves = position.halfmoves();
    let repeated = Trail::new(game).is_repetition(position.key(), halfmoves, Ply::ROOT);
    let drawn = repeated || halfmoves >= FIFTY_MOVES || position.is_insufficient_material();
    drawn.then_some(GameResult::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Ply;

    const RULES: Rules = Rules {
        win_score: 1000,
        win_plies: 3,
        draw_score: 5,
        draw_plies: 4,
        draw_from: 6,
        max_plies: 50,
    };

    /// The ply after which these centipawns end the game, and the result.
    fn verdict(centipawns: &[i32]) -> Option<(usize, GameResult)> {
        let scores = centipawns
            .iter()
            .map(|&value| Score::from_centipawns(value));
        verdict_on(scores)
    }

    fn verdict_on(scores: impl IntoIterator<Item = Score>) -> Option<(usize, GameResult)> {
        let mut referee = Referee::new(&RULES);
        (1..)
            .zip(scores)
            .find_map(|(ply, score)| Some((ply, referee.by_score(score)?)))
    }

    #[test]
    fn a_lasting_lead_wins_and_a_flash_does_not() {
        assert_eq!(
            verdict(&[0, 1200, 1100, 1000]),
            Some((4, GameResult::WhiteWins))
        );
        assert_eq!(
            verdict(&[-2000, -2000, -2000]),
            Some((3, GameResult::BlackWins))
        );
        assert_eq!(verdict(&[1200, 1100, 900, 1200, 1100]), None);
        assert_eq!(verdict(&[1200, 1200, -1200, -1200, 1200]), None);
        assert_eq!(
            verdict_on([Score::DRAW, Score::mate_in(Ply::new(9))]),
            Some((2, GameResult::WhiteWins))
        );
        assert_eq!(
            verdict_on([Score::DRAW, -Score::tablebase_win(Ply::new(50))]),
            Some((2, GameResult::BlackWins))
        );
    }

    #[test]
    fn a_lasting_balance_draws_but_not_early() {
        assert_eq!(verdict(&[0; 12]), Some((10, GameResult::Draw)));
        let swinging: Vec<_> = [0, 0, 0, 9].repeat(10);
        assert_eq!(verdict(&swinging), None);
    }

    #[test]
    fn the_rules_of_chess_come_first() {
        let result = |fen: &str| by_rule(&Game::from_fen(fen, false).unwrap());
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80";
        assert_eq!(result(mated), Some(GameResult::WhiteWins));
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        let bare = "7k/8/6K1/8/8/8/8/5N2 b - - 0 1";
        let fifty = "7k/8/6K1/8/8/8/8/5Q2 w - - 100 90";
        for fen in [stalemate, bare, fifty] {
            assert_eq!(result(fen), Some(GameResult::Draw), "{fen}");
        }
        let mut game = Game::start();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            assert_eq!(by_rule(&game), None);
            game.play_uci(mv).unwrap();
        }
        assert_eq!(by_rule(&game), Some(GameResult::Draw));
    }
}
