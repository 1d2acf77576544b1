//! What a search result says about the true value of a node.

/// Relation between a stored score and the true value (Knuth & Moore 1975).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: every move failed low (an ALL node).
    Upper = 1,
    /// The true value is at least the score: some move failed high (a CUT node).
    Lower = 2,
    /// The score is the true value (a PV node).
    Exact = 3,
}

impl Bound {
    /// The bound encoded in the two lowest bits of `bits`; `None` for 0.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }
}
