//! The search.

pub mod report;
mod worker;

pub use report::{Outcome, Report, Reporter};
pub use worker::{Job, Signals, Worker};
