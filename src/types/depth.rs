//! Distances in the tree: remaining depth, distance from the root, reductions.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use super::convert;

/// The search never goes further than this many plies from the root.
pub const MAX_PLY: usize = 240;

/// Remaining depth in plies. Zero or less means quiescence search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// The horizon, where the quiescence search begins.
    pub const ZERO: Self = Self(0);
    /// One ply.
    pub const ONE: Self = Self(1);
    /// The deepest iteration that is ever started.
    pub const MAX: Self = Self(convert::count_i32(MAX_PLY) - 1);

    /// A depth of `plies`, which may be negative.
    pub const fn new(plies: i32) -> Self {
        Self(plies)
    }

    /// The number of plies.
    pub const fn plies(self) -> i32 {
        self.0
    }

    /// Whether nothing is left of the main search.
    pub const fn is_exhausted(self) -> bool {
        self.0 <= 0
    }

    /// This depth less the whole plies of `reduction`.
    #[must_use]
    pub const fn reduced_by(self, reduction: Reduction) -> Self {
        Self(self.0 - reduction.plies())
    }
}

impl Add<i32> for Depth {
    type Output = Self;
    fn add(self, plies: i32) -> Self {
        Self(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Self;
    fn sub(self, plies: i32) -> Self {
        Self(self.0 - plies)
    }
}

impl AddAssign<i32> for Depth {
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

impl SubAssign<i32> for Depth {
    fn sub_assign(&mut self, plies: i32) {
        self.0 -= plies;
    }
}

/// Distance from the root in plies, 0 to [`MAX_PLY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(u16);

impl Ply {
    /// The root.
    pub const ROOT: Self = Self(0);

    /// `plies` below the root.
    pub const fn new(plies: u16) -> Self {
        Self(plies)
    }

    /// One ply further down.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// One ply further up; `None` at the root.
    #[must_use]
    pub const fn previous(self) -> Option<Self> {
        match self.0.checked_sub(1) {
            Some(plies) => Some(Self(plies)),
            None => None,
        }
    }

    /// For indexing arrays by ply.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// For score arithmetic.
    pub const fn to_i32(self) -> i32 {
        self.0 as i32
    }

    /// Whether the tree must not grow further.
    pub const fn is_at_limit(self) -> bool {
        self.index() >= MAX_PLY
    }
}

/// A fraction of a depth, in 1/1024 ply, so that several terms add up before rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reduction(i32);

impl Reduction {
    /// 1024ths of a ply in one ply.
    pub const ONE_PLY: i32 = 1024;

    /// A reduction of `fraction` / 1024 plies.
    pub const fn new(fraction: i32) -> Self {
        Self(fraction)
    }

    /// The number of whole plies, rounded towards zero.
    pub const fn plies(self) -> i32 {
        self.0 / Self::ONE_PLY
    }
}

impl AddAssign<i32> for Reduction {
    fn add_assign(&mut self, fraction: i32) {
        self.0 += fraction;
    }
}

impl SubAssign<i32> for Reduction {
    fn sub_assign(&mut self, fraction: i32) {
        self.0 -= fraction;
    }
}
