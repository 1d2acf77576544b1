//! How one search differs from the plain one: what the user wishes besides a good move.
//!
//! * Less *effort*: few nodes, and several moves to choose from, for a player who shall not be
//!   as strong as possible.
//! * Another value of a *draw* (contempt), and *dictated* evaluations.
//! * More to hear: the line that is being looked at, and what refutes the other root moves.
//!
//! Invariant: the default manner changes nothing, not even the number of nodes. Values found in
//! one manner are never taken for those of another: each has keys of its own in the table.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use shakmaty::{Color, Move};

use super::{Choice, Search, iterate::unpacked, node::Node};
use crate::{
    movepick::MovePicker,
    position::Position,
    types::{Depth, PackedMove, Score},
};

/// Time between two current lines that are shown.
const LINE_INTERVAL: Duration = Duration::from_millis(250);
/// Longest refutation that is shown, in plies, the refuted move included.
const LONGEST_REFUTATION: usize = 6;

/// What the user wishes of a search besides a good move; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// The most that may be done for the move; `None` for as much as the limits allow.
    pub effort: Option<Effort>,
    /// What a draw is worth to White.
    pub draw: Score,
    /// Static evaluations for White that replace those of the network, by the key of the
    /// position.
    pub dictated: Option<Arc<BTreeMap<u64, Score>>>,
    /// Whether the line that is being looked at is reported from time to time.
    pub current_line: bool,
    /// Whether refutations of the root moves are reported.
    pub refutations: bool,
}

/// The most that may be done for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effort {
    /// Nodes to visit after the first iteration, that one included. They are the end of the
    /// search on the opponent's time too.
    pub nodes: u64,
    /// Number of best moves to find the values of, as [choices](super::Outcome::choices).
    pub lines: usize,
}

impl Manner {
    /// Nodes after which the search ends.
    pub(super) fn most_nodes(&self) -> u64 {
        self.effort.map_or(u64::MAX, |effort| effort.nodes)
    }

    /// What is added to the keys of the table in this manner; 0 for the default.
    pub(super) fn salt(&self) -> u64 {
        if self.draw == Score::DRAW && self.effort.is_none() && self.dictated.is_none() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        (self.draw, self.effort, &self.dictated).hash(&mut hasher);
        hasher.finish()
    }
}

impl Search<'_> {
    /// The key of `position` in the table.
    #[inline]
    pub(super) fn table_key(&self, position: &Position) -> u64 {
        position.key() ^ self.salt
    }

    /// What a draw is worth to the side to move.
    #[inline]
    pub(super) fn draw(&self, position: &Position) -> Score {
        for_mover(self.job.manner.draw, position)
    }

    /// The evaluation that was dictated for `position`, for the side to move.
    #[inline]
    pub(super) fn dictated(&self, position: &Position) -> Option<Score> {
        let dictated = self.job.manner.dictated.as_ref()?;
        let &score = dictated.get(&position.key())?;
        Some(for_mover(score, position))
    }

    /// Whether the cap on the nodes holds now. While pondering a limit does not, but the most
    /// that may be done for a move does; the first iteration is always completed for the sake
    /// of the choice, which would else be the smaller the less is done.
    pub(super) fn is_capped(&self) -> bool {
        let limit = self.job.limits.nodes.unwrap_or(u64::MAX);
        let limited = self.nodes >= limit && !self.is_pondering();
        limited || self.nodes >= self.job.manner.most_nodes() && self.depth > Depth::ONE
    }

    /// Number of lines to find, of which `job.lines` are reported.
    pub(super) fn lines(&self) -> usize {
        let choices = self.job.manner.effort.map_or(1, |effort| effort.lines);
        self.job.lines.max(choices)
    }

    /// The moves that have a value, if there is to be a choice.
    pub(super) fn choices(&self, position: &Position) -> Vec<Choice> {
        if self.job.manner.effort.is_none() {
            return Vec::new();
        }
        let settled = self.root.all().iter().filter_map(|root| {
            let pv = unpacked(position, root);
            Some(Choice {
                score: root.settled?.score,
                ponder: self.reply_in(position, &pv),
                pv,
            })
        });
        settled.collect()
    }

    /// Shows the path to `node` if it is wanted and the last one was shown a while ago. The
    /// path ends before a null move, which nobody could play.
    pub(super) fn show_line(&mut self, node: &Node<'_>) {
        if !self.job.manner.current_line || !self.is_main() || self.elapsed() < self.line_due {
            return;
        }
        self.line_due = self.elapsed() + LINE_INTERVAL;
        let frames = &self.memory.frames;
        let path = (1..=node.ply.index()).rev();
        let path = path.map_while(|back| frames.above(node.ply, back)?.mv);
        let line = played_out(&self.job.game.position(), path);
        if !line.is_empty() {
            self.reporter.current_line(&line);
        }
    }

    /// Reports what is wrong with the root moves that are not among the best, if it is wanted.
    pub(super) fn report_refutations(&self, position: &Position) {
        if !self.job.manner.refutations {
            return;
        }
        for root in self.root.all().iter().skip(self.job.lines) {
            let mut after = position.play(root.mv);
            let mut obvious = self.winning_capture(&after);
            let replies = std::iter::from_fn(|| {
                let reply = self.known_move(&after).or(obvious)?;
                obvious = None;
                after = after.play(reply);
                Some(reply)
            });
            let line = std::iter::once(root.mv).chain(replies);
            let line = played_out(position, line.take(LONGEST_REFUTATION));
            self.reporter.refutation(&line);
        }
    }

    /// A capture that wins material. What loses a piece is often refuted without a move: even
    /// a side that passes does well enough.
    fn winning_capture(&self, position: &Position) -> Option<PackedMove> {
        let mut picker = MovePicker::new_noisy(position, None);
        let mut captures = std::iter::from_fn(|| picker.next(&self.memory.histories));
        captures.find(|&mv| position.see_reaches(mv, 1))
    }

    /// The move that the table recommends.
    pub(super) fn known_move(&self, position: &Position) -> Option<PackedMove> {
        let entry = self.table.probe(self.table_key(position))?;
        entry.mv.filter(|&mv| position.is_legal(mv))
    }
}

/// White's score for the side to move.
fn for_mover(score: Score, position: &Position) -> Score {
    match position.turn() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// The legal `moves` from `position` on as full moves.
pub(super) fn played_out(
    position: &Position,
    moves: impl Iterator<Item = PackedMove>,
) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for mv in moves {
        line.push(position.unpack(mv));
        position = position.play(mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_values_changes_keys() {
        let told = Manner {
            current_line: true,
            refutations: true,
            ..Manner::default()
        };
        assert_eq!((Manner::default().salt(), told.salt()), (0, 0));
        let contempt = |units| Manner {
            draw: Score::new(units),
            ..Manner::default()
        };
        let effort = |nodes| Manner {
            effort: Some(Effort { nodes, lines: 4 }),
            ..Manner::default()
        };
        let dictated = |key| Manner {
            dictated: Some(Arc::new(BTreeMap::from([(key, Score::new(9))]))),
            ..Manner::default()
        };
        let manners = [
            Manner::default(),
            contempt(9),
            contempt(-9),
            effort(9),
            effort(10),
            dictated(9),
            dictated(10),
        ];
        let mut salts: Vec<u64> = manners.iter().map(Manner::salt).collect();
        salts.sort_unstable();
        salts.dedup();
        assert_eq!(salts.len(), manners.len());
    }
}
