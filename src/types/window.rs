//! The open interval of scores that a node is asked about.

use std::ops::Neg;

use super::Score;

/// A search window: the node's exact value matters only between `alpha` and `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    /// Every score lies inside.
    pub const FULL: Self = Self {
        alpha: Score::new(-Score::INFINITE.units()),
        beta: Score::INFINITE,
    };

    /// The window from `alpha` to `beta`; `alpha` must be below `beta`.
    pub fn new(alpha: Score, beta: Score) -> Self {
        debug_assert!(alpha < beta, "empty window {alpha:?}..{beta:?}");
        Self { alpha, beta }
    }

    /// The zero-width window that asks whether a value is above `alpha`.
    pub fn null_above(alpha: Score) -> Self {
        Self::new(alpha, alpha + 1)
    }

    /// The zero-width window that asks whether a value reaches `beta`.
    pub fn null_below(beta: Score) -> Self {
        Self::new(beta - 1, beta)
    }

    /// The best score the side to move is already sure of.
    pub const fn alpha(self) -> Score {
        self.alpha
    }

    /// The score at which the opponent would avoid this node.
    pub const fn beta(self) -> Score {
        self.beta
    }

    /// Whether `score` is at least beta.
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// Whether `score` is at most alpha.
    pub fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Whether `score` lies strictly inside.
    pub fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// The window with alpha raised to `alpha` where that is higher.
    #[must_use]
    pub fn raised_to(self, alpha: Score) -> Self {
        Self {
            alpha: self.alpha.max(alpha),
            ..self
        }
    }

    /// The window with beta lowered to `beta` where that is lower.
    #[must_use]
    pub fn lowered_to(self, beta: Score) -> Self {
        Self {
            beta: self.beta.min(beta),
            ..self
        }
    }

    /// Whether raising and lowering have met: nothing is left to be asked.
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// The same window seen by the opponent: bounds swapped and negated.
impl Neg for Window {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_swaps_the_bounds() {
        let window = Window::new(Score::new(-5), Score::new(40));
        assert_eq!(-window, Window::new(Score::new(-40), Score::new(5)));
        assert_eq!(-(-window), window);
    }
}
