//! The move loop: principal variation search (Marsland & Campbell 1982; the same idea
//! as `NegaScout`, Reinefeld 1983).
//!
//! The first move gets the whole window; each later one must first show, in a
//! zero-width search of reduced depth, that it beats the best so far.

use arrayvec::ArrayVec;

use super::{
    Search,
    assess::Assessment,
    node::{Expect, Node, NodeType, NonPv, Stopped},
    prune::{self, Verdict},
    reduce,
    trial::Trial,
};
use crate::{
    movepick::{Hints, MovePicker},
    params,
    position::Position,
    types::{Depth, PackedMove, Score, Window},
};

/// Moves of one kind remembered as tried, for the histories; later ones are forgotten.
pub(super) type Tried = ArrayVec<PackedMove, 32>;

/// What the move loop found.
pub(super) struct Found {
    /// Best score; a mate or draw when there is no legal move.
    pub(super) score: Score,
    /// The move that raised alpha last, if any did.
    pub(super) best: Option<PackedMove>,
    /// Quiet moves searched.
    pub(super) quiets: Tried,
    /// Noisy moves searched.
    pub(super) noisies: Tried,
    /// The window with alpha raised as far as it came.
    window: Window,
    legal: i32,
}

impl Found {
    fn nothing_in(window: Window) -> Self {
        Self {
            score: -Score::INFINITE,
            best: None,
            quiets: Tried::new(),
            noisies: Tried::new(),
            window,
            legal: 0,
        }
    }

    /// Takes the score of `mv` into account; true when it fails high.
    fn take(&mut self, mv: PackedMove, score: Score) -> bool {
        self.score = self.score.max(score);
        if self.window.fails_low(score) {
            return false;
        }
        self.best = Some(mv);
        let fails_high = self.window.fails_high(score);
        if !fails_high {
            self.window = self.window.raised_to(score);
        }
        fails_high
    }

    fn remember(&mut self, trial: &Trial) {
        let list = if trial.quiet {
            &mut self.quiets
        } else {
            &mut self.noisies
        };
        // A full list is no error: what came so late deserves little blame.
        let _ = list.try_push(trial.mv);
    }
}

impl Search<'_> {
    /// Tries the moves of the node until one fails high.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
    ) -> Result<Found, Stopped> {
        self.memory.frames.at_mut(node.ply).threats = node.position.threats();
        let hints = self.hints::<N>(node, assessment);
        let mut picker = MovePicker::new(node.position, hints);
        let mut found = Found::nothing_in(node.window);
        let may_prune =
            !N::ROOT && !self.job.plain && node.position.has_pieces(node.position.turn());
        while let Some(mv) = picker.next(&self.memory.histories) {
            if N::ROOT && !self.root.considers(mv) || node.without == Some(mv) {
                continue;
            }
            found.legal += 1;
            self.prefetch(node.position, mv);
            let trial = self.prepare(node, assessment, &hints, mv, found.legal);
            if may_prune && !found.score.is_loss() {
                match prune::judge_move(node, assessment, &trial) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let inner = Node {
                window: found.window,
                ..*node
            };
            let score = self.search_move::<N>(&inner, assessment, &trial)?;
            if found.take(mv, score) {
                if node.without.is_none() {
                    self.cutoffs.note(found.legal);
                }
                break;
            }
            found.remember(&trial);
        }
        if found.legal == 0 {
            found.score = match node.without {
                Some(_) => node.window.alpha(),
                None => self.no_legal_move(node),
            };
        }
        Ok(found)
    }

    fn hints<N: NodeType>(&self, node: &Node<'_>, assessment: &Assessment) -> Hints {
        let frames = &self.memory.frames;
        Hints {
            hash_move: if N::ROOT {
                self.root.current()
            } else {
                assessment.hash_move
            },
            killers: frames.at(node.ply).killers,
            earlier: frames.earlier(node.ply),
            threats: frames.at(node.ply).threats,
        }
    }

    /// Plays the move, searches what follows, and takes the move back.
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        trial: &Trial,
    ) -> Result<Score, Stopped> {
        let nodes_before = self.nodes;
        if N::ROOT {
            self.announce(node, trial);
        }
        let child = self.play(node, trial.mv);
        let score = self.search_child::<N>(node, assessment, trial, &child)?;
        self.unplay();
        // A mating move meets the beta of mate distance, so failing high counts as well.
        if N::PV && !node.window.fails_low(score) || N::ROOT && trial.number == 1 {
            self.memory.pv.extend(node.ply, trial.mv);
        }
        if N::ROOT {
            self.note_root_move(node, trial, score, self.nodes - nodes_before);
        }
        Ok(score)
    }

    fn search_child<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        trial: &Trial,
        child: &Position,
    ) -> Result<Score, Stopped> {
        let depth = node.depth - 1 + trial.extension;
        let mut score = None;
        if trial.number > 1 || !N::PV {
            score = Some(self.search_narrow::<N>(node, assessment, trial, child)?);
        }
        match score {
            Some(score) if !N::PV || score <= node.window.alpha() => Ok(score),
            _ => Ok(-self.negamax::<N::Child>(Node {
                position: child,
                window: -node.window,
                depth,
                ply: node.ply.next(),
                expect: Expect::All,
                without: None,
            })?),
        }
    }

    /// Asks with a zero-width window whether the move beats alpha: first at reduced
    /// depth, and if it does, again in full.
    fn search_narrow<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        assessment: &Assessment,
        trial: &Trial,
        child: &Position,
    ) -> Result<Score, Stopped> {
        let alpha = node.window.alpha();
        let mut depth = node.depth - 1 + trial.extension;
        let ask = |expect, depth| Node {
            position: child,
            window: -Window::null_above(alpha),
            depth,
            ply: node.ply.next(),
            expect,
            without: None,
        };
        let may_reduce = trial.number > 1 && !self.job.plain;
        if may_reduce && node.depth >= Depth::new(params::reduction_depth()) {
            let reduction = reduce::late_move::<N>(node, assessment, trial);
            let reduced = depth.reduced_by(reduction).min(depth).max(Depth::ONE);
            if reduced < depth {
                self.memory.frames.at_mut(node.ply).reduction = depth.plies() - reduced.plies();
                let score = self.negamax::<NonPv>(ask(Expect::Cut, reduced));
                self.memory.frames.at_mut(node.ply).reduction = 0;
                let score = -score?;
                if score <= alpha {
                    return Ok(score);
                }
                depth += i32::from(score > alpha + params::reduction_deeper());
                depth -= i32::from(score < alpha + params::reduction_shallower());
                if depth <= reduced {
                    return Ok(score);
                }
            }
        }
        let expect = if N::PV {
            Expect::Cut
        } else {
            node.expect.of_child()
        };
        Ok(-self.negamax::<NonPv>(ask(expect, depth))?)
    }

    /// The score of a node without legal moves.
    pub(super) fn no_legal_move(&self, node: &Node<'_>) -> Score {
        if node.position.in_check() {
            Score::mated_in(node.ply)
        } else {
            self.draw(node.position)
        }
    }
}
