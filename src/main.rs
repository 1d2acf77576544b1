//! The command line of Arborist.

fn main() {}
