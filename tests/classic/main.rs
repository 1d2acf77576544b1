//! The classical algorithms agree with each other and with what is proved about them: on
//! small and random trees, on the positions of the benchmark, and in zugzwang.

mod chess;
mod playing;
mod toys;
mod zugzwang;
