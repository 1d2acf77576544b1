//! A pair of games between two programs: the same opening twice, each side once with White, so that
//! the opening favours nobody.

use anyhow::{Result, bail};
use rand::{SeedableRng, rngs::SmallRng};
use shakmaty::Position as _;

use super::{
    Plan,
    walk::{Tally, Trial},
};
use crate::{
    learn::{
        datagen::{
            contest::OPENING_TRIES,
            engine::Engine,
            players::{Line, Player},
            referee::Referee,
        },
        games::GameResult,
    },
    position::Game,
    types::Score,
};

/// The two programs of one thread.
pub(super) struct Rivals<'a> {
    plan: &'a Plan,
    /// Names of the numbers that are tuned, in their order.
    names: Vec<String>,
    engines: [Engine; 2],
}

impl<'a> Rivals<'a> {
    /// Starts them.
    pub(super) fn start(plan: &'a Plan, names: Vec<String>) -> Result<Self> {
        let start = || Engine::start(&plan.engine, plan.hash);
        Ok(Self {
            plan,
            names,
            engines: [start()?, start()?],
        })
    }

    /// Plays both games of a pair whose opening `chance` decides; the result as the first side of
    /// `trial` sees it.
    pub(super) fn play(&mut self, trial: &Trial, chance: u64) -> Result<Tally> {
        for (engine, side) in self.engines.iter_mut().zip(&trial.sides) {
            for (name, value) in self.names.iter().zip(side) {
                engine.set(name, &value.to_string())?;
            }
        }
        let opening = self.opening(&mut SmallRng::seed_from_u64(chance))?;
        let mut tally = Tally::default();
        for white in [0, 1] {
            match (self.game(Line::new(opening.clone()), white)?, white) {
                (GameResult::Draw, _) => tally.draws += 1,
                (GameResult::WhiteWins, 0) | (GameResult::BlackWins, 1) => tally.wins += 1,
                _ => tally.losses += 1,
            }
        }
        Ok(tally)
    }

    /// An opening that is not yet lost, as the first engine sees it.
    fn opening(&mut self, rng: &mut SmallRng) -> Result<Game> {
        let (plan, judge) = (self.plan, &mut self.engines[0]);
        for _ in 0..OPENING_TRIES {
            let Some(line) = plan.openings.draw(rng) else {
                continue;
            };
            if plan.openings.is_playable(&line, judge, plan.judge_nodes)? {
                return Ok(line.game().clone());
            }
        }
        bail!("of {OPENING_TRIES} openings none was within bounds")
    }

    /// Plays one game in which engine number `white` has White.
    fn game(&mut self, mut line: Line, white: usize) -> Result<GameResult> {
        for engine in &mut self.engines {
            engine.new_game(line.is_chess960())?;
        }
        let mut referee = Referee::new(&self.plan.rules);
        let mut last = Score::DRAW;
        loop {
            let blacks_turn = line.game().chess().turn().is_black();
            let engine = &mut self.engines[white ^ usize::from(blacks_turn)];
            let answer = engine.think(&line, self.plan.nodes)?;
            last = answer.for_white(&line, last);
            line.play(answer.mv);
            let decided = referee.by_score(last);
            if let Some(result) = decided.or_else(|| referee.by_rule(line.game())) {
                return Ok(result);
            }
        }
    }
}
