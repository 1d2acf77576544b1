//! The program under test, run to its end.

use std::process::{Command, Output, Stdio};

/// Runs it with these arguments and nothing on its standard input.
pub(super) fn arborist(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arborist"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary was built for this test")
}
