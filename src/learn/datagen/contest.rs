//! A game that a player plays against itself, from the search for an opening to its end.

use anyhow::{Result, bail};
use rand::{SeedableRng, rngs::SmallRng};

use super::{
    Plan,
    players::{Answer, Line},
    referee::Referee,
    simul::{Board, Question},
};
use crate::{
    learn::{
        draft::Draft,
        games::{Game, GameResult},
    },
    types::Score,
};

/// So many openings in a row that are already lost mean that the bound is too strict.
pub(in crate::learn) const OPENING_TRIES: usize = 1000;

/// A game under way.
pub(super) struct Contest<'a> {
    plan: &'a Plan,
    rng: SmallRng,
    /// Openings drawn up to now.
    tries: usize,
    line: Line,
    /// What was played after the opening; `None` as long as that is being judged.
    draft: Option<Draft>,
    referee: Referee<'a>,
    last: Score,
    result: Option<GameResult>,
}

impl<'a> Contest<'a> {
    /// A game by the rules of `plan` whose opening `chance` decides.
    pub(super) fn new(plan: &'a Plan, chance: u64) -> Result<Self> {
        let mut rng = SmallRng::seed_from_u64(chance);
        let mut tries = 0;
        Ok(Self {
            line: opening(plan, &mut rng, &mut tries)?,
            plan,
            rng,
            tries,
            draft: None,
            referee: Referee::new(&plan.rules),
            last: Score::DRAW,
            result: None,
        })
    }

    /// The opening was judged: begins with the game, or takes another opening.
    fn judged(&mut self, score: Option<Score>) -> Result<()> {
        if self.plan.openings.accept(score) {
            self.draft = Some(Draft::new(self.line.game().chess()));
        } else {
            self.line = opening(self.plan, &mut self.rng, &mut self.tries)?;
        }
        Ok(())
    }
}

impl Board for Contest<'_> {
    fn question(&self) -> Option<Question<'_>> {
        let is_new = self.draft.is_none();
        let (nodes, judge_nodes) = (self.plan.nodes, self.plan.judge_nodes);
        self.result.is_none().then_some(Question {
            line: &self.line,
            nodes: if is_new { judge_nodes } else { nodes },
            is_new,
        })
    }

    fn hear(&mut self, answer: Answer) -> Result<()> {
        let Some(draft) = &mut self.draft else {
            return self.judged(answer.score);
        };
        self.last = answer.for_white(&self.line, self.last);
        draft.add(answer.mv, self.last);
        self.line.play(answer.mv);
        let referee = &mut self.referee;
        let decided = referee.by_score(self.last);
        self.result = decided.or_else(|| referee.by_rule(self.line.game()));
        Ok(())
    }

    fn finish(self) -> Game {
        let result = self.result.expect("the game is over");
        self.draft.expect("it had begun").finish(result)
    }
}

/// The next opening in which the game is not over already.
fn opening(plan: &Plan, rng: &mut SmallRng, tries: &mut usize) -> Result<Line> {
    while *tries < OPENING_TRIES {
        *tries += 1;
        if let Some(line) = plan.openings.draw(rng) {
            let chess960 = plan.player.is_always_chess960();
            return Ok(if chess960 { line.in_chess960() } else { line });
        }
    }
    let bound = plan.openings.max_score;
    bail!("of {OPENING_TRIES} openings none was within {bound} centipawns")
}
