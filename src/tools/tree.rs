//! A searched tree as a drawing: text for Graphviz (`dot -Tsvg`).
//!
//! Nodes are coloured by what they turned out to be (Knuth & Moore's types); a red frame
//! says that something else was expected. What was cut off is a scissored stub with the
//! number of moves that were not looked at.

use std::{
    fmt::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::{
    classic::{
        Algorithm, Log, Sketch,
        anatomy::{Census, Kind},
        chess::Chess,
    },
    learn::output,
    position::Game,
    types::convert,
};

/// More nodes than this no drawing can show.
const MOST_NODES: usize = 4000;

/// Searches a position a few plies deep and writes the tree for Graphviz.
#[derive(Args, Clone, Debug)]
pub struct TreeArgs {
    /// The position; the start position if none is given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Depth of the search, in plies
    #[arg(long, value_name = "N", default_value_t = 2,
        value_parser = clap::value_parser!(u8).range(1..=8))]
    depth: u8,
    /// The algorithm, as `compare` calls it
    #[arg(long, value_name = "NAME", default_value = "fail-soft", value_parser = algorithm)]
    algorithm: Algorithm,
    /// The file to write; draw it with `dot -Tsvg FILE`
    #[arg(long, value_name = "FILE")]
    dot: PathBuf,
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    let names = Algorithm::ALL.map(Algorithm::name).join(", ");
    Algorithm::by_name(name).ok_or_else(|| format!("known are {names}"))
}

/// What was written, and what the tree is like.
#[derive(Clone, Debug)]
pub struct Written {
    path: PathBuf,
    nodes: u64,
    census: Census,
}

/// Searches and writes the file.
///
/// # Errors
/// When the position is none, the tree too large to be drawn or the file not to be written.
pub fn run(args: &TreeArgs) -> Result<Written> {
    let game = match &args.fen {
        None => Game::start(),
        Some(fen) => Game::from_fen(fen, false).with_context(|| fen.clone())?,
    };
    let root = Chess::new(game.position());
    let mut log = Log::sketching(MOST_NODES);
    args.algorithm
        .search(&root, u32::from(args.depth), &mut log);
    let (nodes, drawn) = (log.nodes, convert::wide(log.sketch().len()));
    ensure!(
        nodes == drawn,
        "the tree has {nodes} nodes, and {MOST_NODES} are the most that can be drawn"
    );
    output::write(&args.dot, dot(log.sketch()).as_bytes())?;
    Ok(Written {
        path: args.dot.clone(),
        nodes,
        census: log.census,
    })
}

/// The drawing of `nodes`.
fn dot(nodes: &[Sketch]) -> String {
    let mut text = String::from(
        "digraph tree {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n",
    );
    for (index, node) in nodes.iter().enumerate() {
        text += &draw(index, node).unwrap_or_default();
    }
    text + "}\n"
}

/// The lines of one node: itself, the edge to it, and what was cut off below it.
fn draw(index: usize, node: &Sketch) -> Option<String> {
    let value = node.value?;
    let found = Kind::found(node.window, value);
    let frame = if found == node.expected {
        ""
    } else {
        ", color=red, penwidth=3"
    };
    let name = if node.passing { "pass" } else { &node.name };
    let color = color(found);
    let number = value.units();
    let mut text =
        format!("  n{index} [label=\"{name}\\n{number}\", fillcolor=\"{color}\"{frame}];\n");
    // Writing to a string does not fail.
    if let Some(parent) = node.parent {
        let _ = writeln!(text, "  n{parent} -> n{index};");
    }
    if found == Kind::Cut && node.tried < node.moves {
        let left = node.moves - node.tried;
        let stub = format!("c{index} [label=\"\u{2702} {left}\", shape=plaintext, style=\"\"]");
        let edge = format!("n{index} -> c{index} [style=dashed, arrowhead=none]");
        let _ = writeln!(text, "  {stub};\n  {edge};");
    }
    Some(text)
}

/// Gold for the principal variation, red tones for CUT, blue tones for ALL.
const fn color(kind: Kind) -> &'static str {
    match kind {
        Kind::Pv => "gold",
        Kind::Cut => "lightsalmon",
        Kind::All => "lightblue",
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} nodes", self.path.display(), self.nodes)?;
        let [pv, cut, all] = Kind::ALL.map(|kind| self.census.found(kind));
        write!(f, "PV (gold) {pv}, CUT (red) {cut}, ALL (blue) {all}; ")?;
        let share = self.census.as_expected().unwrap_or(1.0);
        write!(f, "{:.1} % as expected", 100.0 * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::toy::{Branch, Tree};

    #[test]
    fn the_textbook_tree_is_drawn_with_its_types_and_cuts() {
        let tree = Tree::new(&Branch::thirteen());
        let mut log = Log::sketching(MOST_NODES);
        Algorithm::FailSoft.search(&tree.root(), 2, &mut log);
        let text = dot(log.sketch());
        let count = |part: &str| text.matches(part).count();
        assert_eq!(count(" -> n"), 8, "{text}");
        assert!(
            text.contains("n0 [label=\"A\\n7\", fillcolor=\"gold\"]"),
            "{text}"
        );
        // C and D are cut after one answer each, two others not looked at.
        assert_eq!(count("\u{2702} 2"), 2, "{text}");
        assert!(
            text.contains("[label=\"D\\n-3\", fillcolor=\"lightsalmon\"]"),
            "{text}"
        );
    }
}
