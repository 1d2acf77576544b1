//! The transposition table. (Written next.)

/// The table (written next).
pub struct Table;
