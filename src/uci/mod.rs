//! The Universal Chess Interface.

pub mod command;
pub mod go;
pub mod parse;
