//! Start positions for games that others play.
//!
//! They are the openings of our own games: random moves after which neither side is lost yet,
//! as a short search sees it. Invariant: the same seed gives the same positions.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Result, ensure};
use rand::{SeedableRng, rngs::SmallRng, seq::IndexedRandom};

use super::{Openings, contest::OPENING_TRIES, own::Own};
use crate::{nnue::Network, position::Game};

/// Nodes for the judgement of one position.
const JUDGE_NODES: u64 = 1000;
/// MiB of the table of who judges.
const JUDGE_TABLE: usize = 1;

/// Finds `number` positions by random moves from one of `book`, or from the start of the game
/// where the book is empty, and passes each on, until `stop` is set.
///
/// # Errors
/// When there is no memory, or hardly any position is within the bounds.
pub fn starts(
    openings: &Openings,
    book: &[Game],
    (number, seed): (usize, u64),
    stop: &AtomicBool,
    mut pass_on: impl FnMut(&Game),
) -> Result<()> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut judge = Own::new(Network::embedded(), JUDGE_TABLE)?;
    let (mut found, mut tries) = (0, 0);
    while found < number && !stop.load(Relaxed) {
        ensure!(tries < OPENING_TRIES, "hardly any opening is playable");
        tries += 1;
        let line = match book.choose(&mut rng) {
            Some(game) => openings.stir(game.clone(), &mut rng),
            None => openings.draw(&mut rng),
        };
        let Some(line) = line else { continue };
        if openings.is_playable(&line, &mut judge, JUDGE_NODES)? {
            pass_on(line.game());
            (found, tries) = (found + 1, 0);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const OPENINGS: Openings = Openings {
        min_plies: 4,
        max_plies: 7,
        dfrc: 0.0,
        max_score: 300,
    };

    fn fens(book: &[Game], seed: u64) -> Vec<String> {
        let mut fens = Vec::new();
        let keep = |game: &Game| fens.push(game.fen());
        starts(&OPENINGS, book, (5, seed), &AtomicBool::new(false), keep).expect("five positions");
        fens
    }

    #[test]
    fn positions_differ_by_seed_only() {
        let first = fens(&[], 1);
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 5);
        assert_eq!(fens(&[], 1), first);
        assert_ne!(fens(&[], 2), first);
    }

    #[test]
    fn those_of_a_book_come_from_it() {
        let ending = "8/5pk1/4p1p1/3p4/3P4/4P1P1/5PK1/8 w - - 0 1";
        let book = [Game::from_fen(ending, false).expect("a legal position")];
        for fen in fens(&book, 1) {
            assert!(!fen.contains(['q', 'Q', 'r', 'R', 'n', 'N']), "{fen}");
        }
    }

    #[test]
    fn none_come_where_none_are_wanted() {
        let stopped = AtomicBool::new(true);
        let done = starts(&OPENINGS, &[], (5, 1), &stopped, |_| panic!("not wanted"));
        assert!(done.is_ok());
    }
}
