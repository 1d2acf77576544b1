//! The board as the search sees it. (Written next.)

/// A game (written next).
#[derive(Clone)]
pub struct Game;
