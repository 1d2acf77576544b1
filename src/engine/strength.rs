//! Playing weaker than one can: `UCI_LimitStrength` with `UCI_Elo`, and `Skill Level`.
//!
//! People who play weaker look less far, and of the moves that they see as good they do not
//! always take the best. So a level is a number of nodes, beyond which the search does not
//! look, and a temperature: of the best lines, one is drawn with a probability that falls by
//! the factor e when it gives away so much of the expected result. A blunder is then one that
//! the short search did not see, or a second thought that seemed nearly as good, and never a
//! move by lot. The weights are those of Boltzmann's distribution (softmax); choosing among
//! several lines by weight is an old idea of many engines, such as Stockfish's skill levels.
//!
//! Invariant: the limits of a search hold as ever. The level only ends it earlier and chooses
//! among its moves, on a single thread and without endgame tables.

use rand::{Rng, SeedableRng, rngs::SmallRng, seq::IndexedRandom};

use crate::{
    search::{Choice, Effort, Outcome},
    types::{Bound, Score, convert},
};

/// The rating of the weakest level.
pub const WEAKEST: i32 = 800;
/// The rating from which on nothing is held back.
pub const FULL: i32 = 3200;
/// The skill level with which nothing is held back.
pub const FULL_SKILL: i32 = 20;
/// Ratings between two rows of the table of levels.
const STEP: i32 = 200;

/// A row of the table of levels.
struct Level {
    /// Nodes to visit.
    nodes: u32,
    /// Number of lines to choose from.
    lines: usize,
    /// Loss of expected result, in thousandths of a game, that makes a move rarer by the
    /// factor e.
    temperature: u32,
}

const fn level(nodes: u32, lines: usize, temperature: u32) -> Level {
    Level {
        nodes,
        lines,
        temperature,
    }
}

/// The levels from [`WEAKEST`] to [`FULL`], one every [`STEP`] points. What lies between two
/// rows is interpolated. The numbers were found by matches between neighbours; the README
/// has the results.
const LEVELS: [Level; 13] = [
    level(400, 8, 178),
    level(450, 8, 105),
    level(500, 7, 75),
    level(600, 6, 54),
    level(800, 6, 33),
    level(1200, 5, 22),
    level(2400, 5, 15),
    level(3200, 4, 13),
    level(4700, 4, 10),
    level(6900, 4, 8),
    level(9300, 3, 6),
    level(14_000, 3, 5),
    level(21_000, 3, 4),
];

/// What a logit less is worth in won and lost positions, as a part of a game: there too a
/// player goes forward, though every move expects the same result.
const PROGRESS: f64 = 0.02;
/// Logits beyond which nobody tells the difference.
const FARTHEST: f64 = 10.0;

/// The rating of a skill level, 0 to [`FULL_SKILL`].
pub fn rating_of_skill(skill: i32) -> i32 {
    WEAKEST + (FULL - WEAKEST) * skill / FULL_SKILL
}

/// How one move is played worse than it could be.
#[derive(Clone, Debug)]
pub struct Handicap {
    effort: Effort,
    /// In parts of a game.
    temperature: f64,
    /// Decides which of the moves it is.
    seed: u64,
}

impl Handicap {
    /// The handicap of a player with this rating; `None` at full strength. The same `seed`
    /// makes the same choice among the same moves.
    pub fn new(rating: i32, seed: u64) -> Option<Self> {
        if rating >= FULL {
            return None;
        }
        let above = rating.max(WEAKEST) - WEAKEST;
        let row = convert::index(above / STEP);
        let share = f64::from(above % STEP) / f64::from(STEP);
        let (lower, upper) = (LEVELS.get(row)?, LEVELS.get(row + 1)?);
        let between =
            |low: u32, high: u32| f64::from(low) * (f64::from(high) / f64::from(low)).powf(share);
        let nodes = convert::truncate_i32(between(lower.nodes, upper.nodes));
        Some(Self {
            effort: Effort {
                nodes: u64::from(nodes.unsigned_abs()),
                lines: lower.lines,
            },
            temperature: between(lower.temperature, upper.temperature) / 1000.0,
            seed,
        })
    }

    /// What the search may do.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Plays another of the moves to choose from, perhaps; whether it did.
    pub fn weaken(&self, outcome: &mut Outcome) -> bool {
        let mut rng = SmallRng::seed_from_u64(self.seed);
        let Some(choice) = self.choose(&outcome.choices, &mut rng) else {
            return false;
        };
        let best = choice.pv.first().copied();
        if best.is_none() || best == outcome.best {
            return false;
        }
        let Choice { score, pv, ponder } = choice.clone();
        (outcome.best, outcome.ponder, outcome.pv) = (best, ponder, pv);
        (outcome.score, outcome.bound) = (score, Bound::Exact);
        true
    }

    /// One of `choices`, the rarer the more it gives away; `None` if there are none.
    fn choose<'c>(&self, choices: &'c [Choice], rng: &mut impl Rng) -> Option<&'c Choice> {
        let best = choices.iter().map(|choice| choice.score).max()?;
        let weight = |choice: &Choice| (-regret(best, choice.score) / self.temperature).exp();
        choices.choose_weighted(rng, weight).ok()
    }
}

/// What playing for `score` gives away where `best` is to be had, as a part of a game.
fn regret(best: Score, score: Score) -> f64 {
    let lost = expected_result(best) - expected_result(score);
    let difference = f64::from(best - score);
    // Where the game is decided a unit is a ply on the way to its end.
    let logits = if best.is_decisive() && score.is_decisive() {
        difference
    } else {
        difference / f64::from(Score::PER_LOGIT)
    };
    lost + PROGRESS * logits.min(FARTHEST)
}

/// The expected result, from 0 for a loss to 1 for a win.
fn expected_result(score: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score.units()) / f64::from(Score::PER_LOGIT)).exp())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, time::Duration};

    use super::*;
    use crate::{
        position::Game,
        types::{Ply, Score},
    };

    /// An outcome of which the first moves of the start position have these scores.
    fn outcome(scores: &[Score]) -> Outcome {
        let game = Game::start();
        let moves = game.legal_moves();
        let choices = scores.iter().zip(&moves).map(|(&score, &mv)| Choice {
            score,
            pv: vec![mv],
            ponder: None,
        });
        Outcome {
            score: scores[0],
            choices: choices.collect(),
            ..Outcome::without_search(&game.position(), Some(moves[0]), Duration::ZERO)
        }
    }

    /// How often each of the moves is played, by its score in units, in 2000 games.
    fn frequencies(rating: i32, scores: &[Score]) -> BTreeMap<i32, u32> {
        let mut found = BTreeMap::new();
        for seed in 0..2000 {
            let mut played = outcome(scores);
            let handicap = Handicap::new(rating, seed).expect("less than full strength");
            handicap.weaken(&mut played);
            assert_eq!(played.pv.first(), played.best.as_ref());
            *found.entry(played.score.units()).or_default() += 1;
        }
        found
    }

    #[test]
    fn more_rating_means_more_nodes_and_less_chance() {
        let mut last = Handicap::new(i32::MIN, 0).expect("the weakest");
        for rating in (WEAKEST..FULL).step_by(50) {
            let next = Handicap::new(rating, 0).expect("less than full strength");
            assert!(next.effort.nodes >= last.effort.nodes, "{rating}");
            assert!(next.temperature <= last.temperature, "{rating}");
            last = next;
        }
        assert!(Handicap::new(FULL, 0).is_none());
        assert!(Handicap::new(rating_of_skill(FULL_SKILL), 0).is_none());
        assert_eq!(rating_of_skill(0), WEAKEST);
        assert!(Handicap::new(rating_of_skill(FULL_SKILL - 1), 0).is_some());
    }

    #[test]
    fn a_move_is_the_rarer_the_more_it_gives_away() {
        let scores = [0, -60, -200, -1200].map(Score::new);
        let weak = frequencies(WEAKEST, &scores);
        let counts = scores.map(|score| weak.get(&score.units()).copied().unwrap_or(0));
        assert!(counts.is_sorted_by(|more, less| more > less), "{weak:?}");
        // Even the weakest gives a queen away only when it does not see it.
        assert!(counts[3] < 200, "{weak:?}");
        let strong = frequencies(2400, &scores);
        assert!(strong[&0] > weak[&0] && strong[&0] > 1900, "{strong:?}");
    }

    #[test]
    fn a_won_game_goes_forward() {
        let quick = Score::mate_in(Ply::new(1));
        let slow = Score::mate_in(Ply::new(5));
        let scores = [quick, slow, Score::new(9000)];
        let played = frequencies(WEAKEST, &scores);
        let count = |score: Score| played.get(&score.units()).copied().unwrap_or(0);
        assert!(
            scores.map(count).is_sorted_by(|more, less| more > less),
            "{played:?}"
        );
        assert!(count(quick) > 800, "{played:?}");
    }

    #[test]
    fn the_same_seed_plays_the_same_move() {
        let scores = [0, -5, -10, -15].map(Score::new);
        let play = |seed| {
            let mut played = outcome(&scores);
            Handicap::new(1000, seed).expect("weak").weaken(&mut played);
            played.best
        };
        let first: Vec<_> = (0..50).map(play).collect();
        assert_eq!(first, (0..50).map(play).collect::<Vec<_>>());
        assert!(first.iter().any(|mv| *mv != first[0]));
    }

    #[test]
    fn without_a_choice_the_move_stays() {
        let mut played = outcome(&[Score::new(5)]);
        let best = played.best;
        let handicap = Handicap::new(WEAKEST, 3).expect("weak");
        assert!(!handicap.weaken(&mut played));
        played.choices.clear();
        assert!(!handicap.weaken(&mut played));
        assert_eq!(played.best, best);
    }
}
