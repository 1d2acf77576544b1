//! The engine.

pub mod kinds;
pub mod options;
