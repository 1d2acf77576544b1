//! What a node of the tree is: its kind, its window, and what is expected of it.
//!
//! Knuth & Moore (1975) call the nodes of the minimal tree type 1 (PV), type 2 (CUT)
//! and type 3 (ALL). PV and non-PV are types here, so that each gets its own compiled
//! search; CUT and ALL are expectations, which may turn out wrong.

use crate::{
    position::Position,
    types::{Depth, PackedMove, Ply, Window},
};

/// The kind of a node, known at compile time.
pub(super) trait NodeType {
    /// Searched with an open window: an exact value is wanted.
    const PV: bool;
    /// The first node.
    const ROOT: bool;
    /// The kind of the first child.
    type Child: NodeType;
}

/// The first node of the search, always with an open window.
pub(super) struct Root;
/// A node on a candidate principal variation.
pub(super) struct Pv;
/// A node with a zero-width window.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Self;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Self;
}

/// What the parent expects of a node with a zero-width window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    /// Some move fails high (type 2).
    Cut,
    /// Every move fails low (type 3); also said of PV nodes, which are no cut nodes.
    All,
}

impl Expect {
    /// What is expected of the children.
    pub(super) const fn of_child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// One call of the search.
#[derive(Clone, Copy)]
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) window: Window,
    pub(super) depth: Depth,
    pub(super) ply: Ply,
    pub(super) expect: Expect,
    /// A move that is left out, while the others are compared with it.
    pub(super) without: Option<PackedMove>,
}

/// The search was told to stop; every result under way is void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;
