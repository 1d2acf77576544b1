//! Explicit trees: small enough to be drawn, checked by hand, and made at random.
//!
//! The leaves carry values as the first player sees them, as in textbooks. Invariant: a
//! tree is built from its branches once and not changed.

use super::State;
use crate::types::Score;

/// The shape of a tree, before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch {
    /// A leaf with its value for the first player.
    Leaf(i32),
    /// A node with its children, at least one.
    Fork(Vec<Branch>),
}

impl Branch {
    /// The tree of `depth` plies with `branching` moves everywhere, whose leaves take their
    /// values from `values` in order, and 0 when these run out.
    pub fn uniform(branching: usize, depth: u32, values: &mut impl Iterator<Item = i32>) -> Self {
        if depth == 0 {
            return Self::Leaf(values.next().unwrap_or_default());
        }
        let children = (0..branching).map(|_| Self::uniform(branching, depth - 1, values));
        Self::Fork(children.collect())
    }

    /// The textbook tree of thirteen nodes, A to M: three moves, three answers, leaves
    /// from 9 down to 1; its value is 7.
    pub fn thirteen() -> Self {
        Self::uniform(3, 2, &mut (1..=9).rev())
    }

    /// Two moves, two answers; its value is 5, and the last leaf does not matter.
    pub fn two_by_two() -> Self {
        Self::uniform(2, 2, &mut [5, 8, 3, 9].into_iter())
    }

    /// The value for the first player, who is to move if `maximising`; and the same tree
    /// with the best move first everywhere.
    #[must_use]
    pub fn perfectly_ordered(self, maximising: bool) -> (i32, Self) {
        let children = match self {
            Self::Leaf(value) => return (value, self),
            Self::Fork(children) => children.into_iter(),
        };
        let mut ordered: Vec<(i32, Self)> = children
            .map(|child| child.perfectly_ordered(!maximising))
            .collect();
        ordered.sort_by_key(|&(value, _)| if maximising { -value } else { value });
        let value = ordered.first().map_or(0, |&(value, _)| value);
        let children = ordered.into_iter().map(|(_, child)| child).collect();
        (value, Self::Fork(children))
    }

    /// Plies of the longest line.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Fork(children) => 1 + children.iter().map(Self::depth).max().unwrap_or(0),
        }
    }
}

/// A node of a built tree.
#[derive(Clone, Debug, Default)]
struct Node {
    value: i32,
    children: Vec<usize>,
}

/// A tree whose nodes are numbered level by level, the root being 0.
#[derive(Clone, Debug)]
pub struct Tree(Vec<Node>);

impl Tree {
    /// The tree of this shape.
    pub fn new(branch: &Branch) -> Self {
        let mut nodes = vec![Node::default()];
        let mut waiting = std::collections::VecDeque::from([(0, branch)]);
        while let Some((at, branch)) = waiting.pop_front() {
            match branch {
                Branch::Leaf(value) => nodes[at].value = *value,
                Branch::Fork(children) => {
                    for child in children {
                        let place = nodes.len();
                        nodes[at].children.push(place);
                        waiting.push_back((place, child));
                        nodes.push(Node::default());
                    }
                }
            }
        }
        Self(nodes)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no nodes, which is never so.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The root, with the first player to move.
    pub fn root(&self) -> Toy<'_> {
        Toy {
            tree: self,
            at: 0,
            maximising: true,
        }
    }
}

/// A state of a game whose whole tree is written down.
#[derive(Clone, Copy, Debug)]
pub struct Toy<'t> {
    tree: &'t Tree,
    at: usize,
    maximising: bool,
}

impl State for Toy<'_> {
    /// The number of the node it leads to.
    type Move = usize;

    fn moves(&self) -> Vec<usize> {
        self.tree.0[self.at].children.clone()
    }

    fn make(&self, mv: usize) -> Self {
        Self {
            at: mv,
            maximising: !self.maximising,
            ..*self
        }
    }

    fn evaluate(&self) -> Score {
        let value = Score::new(self.tree.0[self.at].value);
        if self.maximising { value } else { -value }
    }

    fn last_move(&self) -> Option<usize> {
        (self.at > 0).then_some(self.at)
    }

    fn key(&self) -> u64 {
        self.at as u64
    }

    /// A to Z, then numbers.
    fn name(&self) -> String {
        ('A'..='Z')
            .nth(self.at)
            .map_or_else(|| self.at.to_string(), String::from)
    }
}
