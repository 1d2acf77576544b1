//! The shortest mate: proved, not just found.
//!
//! The search finds mates quickly, but it prunes and reduces, so a shorter one may have been
//! left out. For `go mate` every line is therefore also tried in full, for one more move after
//! the other, by the two functions of an AND/OR tree (Nilsson 1971): some move of the attacker
//! must mate whatever the defender answers. With the last move only checks are tried, and the
//! defender's reply that refuted the last attempt is tried first.
//!
//! Invariant: what is remembered of a position depends on the position alone. So repetitions
//! inside the tree are played on (a shortest mate has none), positions that the game has seen
//! twice are draws, and nothing is remembered where the fifty-move rule comes into reach.

use std::collections::{HashMap, HashSet};

use super::{
    Search,
    cutoffs::FIFTY_MOVES,
    node::Stopped,
    pv::Line,
    root::{RootMove, Value},
};
use crate::{
    position::{Game, Position},
    types::{Bound, Depth, MoveList, PackedMove, Ply, Score},
};

/// Nodes for the proof that a mate that was found is the shortest.
const PROOF_NODES: u64 = 100_000_000;
/// Positions to be remembered at the most.
const MOST_KNOWN: usize = 1 << 21;

/// Why a proof was not brought to its end.
enum Unfinished {
    /// The search is over.
    Stopped,
    /// It has cost all the nodes that it may.
    TooLarge,
    /// It is the side to move that will be mated.
    Mated,
}

impl From<Stopped> for Unfinished {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// What is known of a position with the attacker to move.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// No mate in so many moves.
    excluded: u32,
    /// A mate in so many moves, and how it begins.
    mate: Option<(u32, PackedMove)>,
}

/// What the proofs of one search have found out so far; nothing unless it is for a mate.
#[derive(Default)]
pub(super) struct Proof {
    known: HashMap<u64, Known>,
    /// What refuted the attacker's last attempt, by the number of moves that it had left.
    refutations: Vec<Option<PackedMove>>,
    /// Positions that are drawn if they come up once more.
    seen_twice: HashSet<u64>,
    /// The root has no mate in so many moves.
    excluded: u32,
    /// Nodes of the search at which the proof under way is given up.
    last_node: u64,
}

impl Proof {
    /// Nothing is known yet of the positions after `game`.
    pub(super) fn new(game: &Game) -> Self {
        let mut once = HashSet::new();
        let earlier = game.earlier_keys().iter().copied();
        Self {
            seen_twice: earlier.filter(|&key| !once.insert(key)).collect(),
            ..Self::default()
        }
    }

    fn recall(&self, position: &Position) -> Known {
        let known = self.known.get(&position.key());
        known.copied().unwrap_or_default()
    }

    fn remember(&mut self, position: &Position, moves: u32, mate: Option<PackedMove>) {
        if self.known.len() >= MOST_KNOWN && !self.known.contains_key(&position.key()) {
            return;
        }
        let known = self.known.entry(position.key()).or_default();
        match mate {
            Some(mv) => known.mate = Some((moves, mv)),
            None => known.excluded = known.excluded.max(moves),
        }
    }

    fn refutation(&self, left: u32) -> Option<PackedMove> {
        self.refutations.get(index(left)).copied().flatten()
    }

    fn note_refutation(&mut self, left: u32, reply: PackedMove) {
        if self.refutations.len() <= index(left) {
            self.refutations.resize(index(left) + 1, None);
        }
        self.refutations[index(left)] = Some(reply);
    }
}

impl Search<'_> {
    /// Whether the mate that was asked for has been found and proved the shortest, or proved
    /// not to be there. As long as none is found a proof may cost as much as the search did.
    pub(super) fn mate_is_settled(&mut self, position: &Position) -> Result<bool, Stopped> {
        let Some(wanted) = self.job.limits.mate else {
            return Ok(false);
        };
        let score = self.root.best().and_then(RootMove::score);
        let moves = score.and_then(Score::moves_to_mate);
        let moves = moves.filter(|moves| moves.unsigned_abs() <= wanted);
        if moves.is_some_and(i32::is_negative) {
            return Ok(moves.is_some());
        }
        let found = moves.map(i32::unsigned_abs);
        self.proof.last_node = match found {
            Some(_) => self.nodes.saturating_add(PROOF_NODES),
            None => self.nodes.saturating_mul(2),
        };
        match self.prove(position, found, wanted) {
            Ok(verdict) => {
                self.reporter.remark(&verdict);
                Ok(true)
            }
            Err(Unfinished::Stopped) => Err(Stopped),
            Err(Unfinished::Mated) => Ok(false),
            Err(Unfinished::TooLarge) => {
                if let Some(found) = found {
                    let first = self.proof.excluded + 1;
                    self.reporter.remark(&unproved(found, first));
                }
                Ok(found.is_some())
            }
        }
    }

    /// Excludes mates that are shorter than the one `found`, or all up to the number of moves
    /// that was `wanted`, beginning with the shortest. What came of it, in words.
    fn prove(
        &mut self,
        position: &Position,
        found: Option<u32>,
        wanted: u32,
    ) -> Result<String, Unfinished> {
        let last = found.map_or(wanted, |found| found - 1);
        while self.proof.excluded < last {
            let moves = self.proof.excluded + 1;
            if let Some(mv) = self.mating_move(position, moves)? {
                self.adopt(position, mv, moves)?;
                return Ok(shortest(moves));
            }
            self.proof.excluded = moves;
        }
        match found {
            Some(found) => Ok(shortest(found)),
            None if self.holds_out(position, wanted)? => Ok(absent(wanted)),
            // The search will find it too, and say how long it takes.
            None => Err(Unfinished::Mated),
        }
    }

    /// The move among those considered that mates in so many `moves`.
    fn mating_move(
        &mut self,
        position: &Position,
        moves: u32,
    ) -> Result<Option<PackedMove>, Unfinished> {
        let mut attempts: MoveList = self.root.all().iter().map(|root| root.mv).collect();
        self.first_that_mates(position, &mut attempts, moves)
    }

    /// Makes `mv`, which mates in so many moves, the best move of the root and reports it.
    fn adopt(&mut self, position: &Position, mv: PackedMove, moves: u32) -> Result<(), Unfinished> {
        let line = self.mating_line(position, mv, moves)?;
        let plies = u16::try_from(2 * moves - 1).unwrap_or(u16::MAX);
        let score = Score::mate_in(Ply::new(plies));
        if let Some(root) = self.root.find_mut(mv) {
            root.value = Some(Value {
                score,
                bound: Bound::Exact,
                depth: Depth::new(i32::from(plies)),
            });
            root.settled = root.value;
            root.line = line;
            root.selective_depth = Ply::new(plies);
        }
        self.root.begin_line(0);
        self.root.sort();
        self.report_lines(position);
        Ok(())
    }

    /// The line after `mv` in which the defender lasts as long as can be.
    fn mating_line(
        &mut self,
        position: &Position,
        mv: PackedMove,
        moves: u32,
    ) -> Result<Line, Unfinished> {
        self.proof.last_node = u64::MAX;
        let mut line = Line::new();
        line.push(mv);
        let mut position = position.play(mv);
        for left in (1..moves).rev() {
            let Some(reply) = self.longest_defence(&position, left)? else {
                break;
            };
            position = position.play(reply);
            let Some(next) = self.attack(&position, left)? else {
                break;
            };
            position = position.play(next);
            line.extend([reply, next]);
        }
        Ok(line)
    }

    /// The reply after which the attacker needs all of its `left` moves, or else any.
    fn longest_defence(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<PackedMove>, Unfinished> {
        let mut replies = MoveList::new();
        position.generate_all(&mut replies);
        for &reply in &replies {
            if self.attack(&position.play(reply), left - 1)?.is_none() {
                return Ok(Some(reply));
            }
        }
        Ok(replies.first().copied())
    }

    /// OR: a move that mates in so many `moves`.
    fn attack(
        &mut self,
        position: &Position,
        moves: u32,
    ) -> Result<Option<PackedMove>, Unfinished> {
        if moves == 0 || self.is_drawn_by_moves(position) {
            return Ok(None);
        }
        let lasting = position.halfmoves() + 2 * moves < FIFTY_MOVES;
        let known = lasting.then(|| self.proof.recall(position));
        let known = known.unwrap_or_default();
        if moves <= known.excluded {
            return Ok(None);
        }
        if let Some((length, mv)) = known.mate
            && length <= moves
        {
            return Ok(Some(mv));
        }
        let mut attempts = MoveList::new();
        position.generate_all(&mut attempts);
        let mate = self.first_that_mates(position, &mut attempts, moves)?;
        if lasting {
            self.proof.remember(position, moves, mate);
        }
        Ok(mate)
    }

    /// The first of `attempts` that mates in so many `moves`; checks are tried first.
    fn first_that_mates(
        &mut self,
        position: &Position,
        attempts: &mut MoveList,
        moves: u32,
    ) -> Result<Option<PackedMove>, Unfinished> {
        if moves == 1 {
            attempts.retain(|mv| position.gives_check(*mv));
        } else {
            attempts.sort_by_cached_key(|&mv| !position.gives_check(mv));
        }
        for &mv in attempts.iter() {
            if !self.holds_out(&position.play(mv), moves - 1)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// AND: whether the defender, to move, holds out against `left` moves more.
    fn holds_out(&mut self, position: &Position, left: u32) -> Result<bool, Unfinished> {
        self.count()?;
        if self.nodes >= self.proof.last_node {
            return Err(Unfinished::TooLarge);
        }
        if left == 0 {
            return Ok(!position.in_check() || position.has_legal_move());
        }
        let mut replies = MoveList::new();
        position.generate_all(&mut replies);
        if replies.is_empty() {
            return Ok(!position.in_check());
        }
        if self.is_drawn_by_moves(position) {
            return Ok(true);
        }
        let refutation = self.proof.refutation(left);
        replies.sort_by_key(|&reply| Some(reply) != refutation);
        for &reply in &replies {
            if self.attack(&position.play(reply), left)?.is_none() {
                self.proof.note_refutation(left, reply);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the position, which has a legal move, is a draw by the moves before it.
    fn is_drawn_by_moves(&self, position: &Position) -> bool {
        position.halfmoves() >= FIFTY_MOVES || self.proof.seen_twice.contains(&position.key())
    }
}

fn index(left: u32) -> usize {
    usize::try_from(left).unwrap_or(usize::MAX)
}

fn shortest(moves: u32) -> String {
    format!("mate in {moves} is the shortest: proved")
}

fn absent(moves: u32) -> String {
    format!("no mate in {moves}: proved")
}

/// A mate in `found` moves is known, and none in fewer than `open` moves.
fn unproved(found: u32, open: u32) -> String {
    let shorter = found - 1;
    if open == shorter {
        return format!("mate in {found} found; a mate in {open} was not ruled out");
    }
    format!("mate in {found} found; a mate in {open} to {shorter} was not ruled out")
}
