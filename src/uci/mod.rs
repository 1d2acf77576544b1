//! The Universal Chess Interface (Huber & Meyer-Kahlen, 2000; revised 2006).
//!
//! A line goes `event` → [`parse`] → `session` → `obey` and comes back through
//! `reporter` and [`mod@print`]. This room knows the protocol and nothing about how to
//! search; it is the only one, besides `main`, that prints.

pub mod command;
mod errand;
mod event;
pub mod go;
mod journal;
mod obey;
pub mod parse;
pub mod print;
mod reporter;
mod session;

pub use session::{Ending, Session};
