//! Quiescence search: only captures and queen promotions, so that the evaluation is
//! never taken in the middle of an exchange (Shannon 1950; stand-pat, Slate & Atkin
//! 1977). In check evasions are searched, quiet ones until one holds.

use super::{
    Search, assess, cutoffs,
    node::{Expect, Node, NodeType, Stopped},
};
use crate::{
    movepick::{Hints, MovePicker, exchange_value},
    params,
    tt::Entry,
    types::{Bound, Depth, PackedMove, Score, Window},
};

/// The course of one quiescence node.
struct Quest {
    window: Window,
    score: Score,
    best: Option<PackedMove>,
    /// Nothing below this can be reached by a capture that is skipped; `None` in check.
    futility_base: Option<Score>,
}

impl Search<'_> {
    /// The value of `node` once the captures are played out.
    pub(super) fn quiesce<N: NodeType>(&mut self, node: Node<'_>) -> Result<Score, Stopped> {
        self.enter::<N>(&node)?;
        if cutoffs::is_draw(&self.trail, node.position, node.ply) {
            return Ok(self.draw(node.position));
        }
        if node.ply.is_at_limit() {
            return Ok(self.horizon(node.position));
        }
        let node = self.with_upcoming_repetition(node);
        if node.window.is_closed() {
            return Ok(node.window.alpha());
        }
        let node = Node {
            depth: Depth::ZERO,
            ..node
        };
        let entry = self.probe(node.position);
        if let Some(score) = cutoffs::by_table::<N>(&node, entry.as_ref()) {
            return Ok(score);
        }
        let raw = self.raw_evaluation(node.position, entry.as_ref());
        let stand_pat = raw.map(|raw| {
            let corrected = self.corrected(&node, raw);
            let entry = entry.as_ref();
            entry.map_or(corrected, |entry| assess::refined(corrected, entry, &node))
        });
        let mut quest = Quest::standing_pat(node.window, stand_pat);
        if !quest.window.is_closed() {
            self.search_captures::<N>(&node, entry.as_ref(), &mut quest)?;
        }
        quest.score = half_way_to_beta(&node, quest.score);
        self.store_quiet::<N>(&node, entry.as_ref(), raw, &quest);
        Ok(quest.score)
    }

    fn search_captures<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        entry: Option<&Entry>,
        quest: &mut Quest,
    ) -> Result<(), Stopped> {
        let hash_move = entry.and_then(|entry| entry.mv);
        let in_check = node.position.in_check();
        let plain = self.job.plain;
        let mut picker = if in_check || plain {
            MovePicker::new(
                node.position,
                Hints {
                    hash_move,
                    ..Hints::default()
                },
            )
        } else {
            MovePicker::new_noisy(node.position, hash_move)
        };
        if plain && !in_check {
            picker.skip_quiets();
        }
        let mut legal = 0;
        while let Some(mv) = picker.next(&self.memory.histories) {
            legal += 1;
            self.prefetch(node.position, mv);
            if !plain && quest.is_futile(node, mv) {
                continue;
            }
            let child = self.play(node, mv);
            let score = -self.quiesce::<N::Child>(Node {
                position: &child,
                window: -quest.window,
                depth: Depth::ZERO,
                ply: node.ply.next(),
                expect: Expect::All,
                without: None,
            })?;
            self.unplay();
            if quest.take(mv, score) && N::PV {
                self.memory.pv.extend(node.ply, mv);
            }
            if quest.window.is_closed() {
                self.quiet_cutoffs.note(legal);
                break;
            }
            if in_check && !plain && !quest.score.is_loss() {
                // One evasion that holds is enough: quiet ones are left to the main search.
                picker.skip_quiets();
            }
        }
        if in_check && legal == 0 {
            quest.score = self.no_legal_move(node);
        }
        Ok(())
    }

    fn store_quiet<N: NodeType>(
        &self,
        node: &Node<'_>,
        entry: Option<&Entry>,
        raw: Option<Score>,
        quest: &Quest,
    ) {
        let bound = if node.window.fails_high(quest.score) {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.table.store(
            self.table_key(node.position),
            Entry {
                mv: quest.best,
                score: quest.score.to_table(node.ply),
                evaluation: raw,
                depth: Depth::ZERO,
                bound: Some(bound),
                was_pv: N::PV || entry.is_some_and(|entry| entry.was_pv),
            },
        );
    }
}

/// A score that fails high, half-way to beta: how far above it lies is the least certain part.
fn half_way_to_beta(node: &Node<'_>, score: Score) -> Score {
    let beta = node.window.beta();
    if node.window.fails_high(score) && !score.is_decisive() && !beta.is_decisive() {
        score.half_way_to(beta)
    } else {
        score
    }
}

/// The most that capturing with `mv` can raise the evaluation by.
fn gain(node: &Node<'_>, mv: PackedMove) -> i32 {
    let victim = node.position.captured_role(mv).map_or(0, exchange_value);
    victim * params::quiescence_gain() / 100
}

impl Quest {
    /// Out of check the side to move need not capture: its evaluation is a lower bound.
    fn standing_pat(window: Window, stand_pat: Option<Score>) -> Self {
        Self {
            window: stand_pat.map_or(window, |score| window.raised_to(score)),
            score: stand_pat.unwrap_or(-Score::INFINITE),
            best: None,
            futility_base: stand_pat.map(|score| score + params::quiescence_futility()),
        }
    }

    /// Delta pruning: even winning the victim for nothing does not reach alpha.
    fn is_futile(&mut self, node: &Node<'_>, mv: PackedMove) -> bool {
        let Some(base) = self.futility_base else {
            return false;
        };
        if self.score.is_loss() || mv.promoted().is_some() || node.position.gives_check(mv) {
            return false;
        }
        let reach = base + gain(node, mv);
        let futile = reach <= self.window.alpha();
        if futile {
            self.score = self.score.max(reach);
        }
        futile
    }

    /// Takes the score of `mv` into account; true when it raises alpha.
    fn take(&mut self, mv: PackedMove, score: Score) -> bool {
        self.score = self.score.max(score);
        let raises = !self.window.fails_low(score);
        if raises {
            self.best = Some(mv);
            self.window = self.window.raised_to(score);
        }
        raises
    }
}
