//! How long a position is searched, as an argument of several tools.

use std::{fmt, time::Duration};

use clap::Args;

use crate::{time::Limits, types::Depth};

/// Time for each position if no limit is given, in milliseconds.
const DEFAULT_TIME: u64 = 1000;

/// What ends the search of each position; at most one is given.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub(super) struct LimitArgs {
    /// Milliseconds for each position; 1000 if no limit is given
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
}

impl LimitArgs {
    pub(super) fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or_else(|| unlimited.then_some(DEFAULT_TIME));
        Limits {
            depth: self.depth.map(|depth| Depth::new(i32::from(depth))),
            nodes: self.nodes,
            move_time: time.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// In words: `100000 nodes a position`.
impl fmt::Display for LimitArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.nodes, self.depth) {
            (Some(nodes), _) => write!(f, "{nodes} nodes a position"),
            (_, Some(depth)) => write!(f, "{depth} plies a position"),
            _ => write!(f, "{} ms a position", self.time.unwrap_or(DEFAULT_TIME)),
        }
    }
}
