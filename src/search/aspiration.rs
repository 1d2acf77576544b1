//! Aspiration windows: the value is expected near that of the last iteration, and a
//! narrow window around it prunes more. On a fail low or high the window is widened
//! step by step on the failing side (Slate & Atkin 1977; gradual widening as in Fruit).

use super::{
    Search,
    node::{Expect, Node, Root, Stopped},
};
use crate::{
    params,
    position::Position,
    types::{Depth, Ply, Score, Window},
};

/// Wider than this, a window is opened at once.
const WIDE: i32 = 900;

impl Search<'_> {
    /// Searches the root to `depth` until the score lies inside the window.
    pub(super) fn aspirate(&mut self, position: &Position, depth: Depth) -> Result<(), Stopped> {
        let expected = self.root.head().and_then(|root| root.previous);
        let mut delta = params::aspiration_delta();
        let mut window = match expected {
            Some(score) if depth >= Depth::new(params::aspiration_depth()) => around(score, delta),
            _ => Window::FULL,
        };
        loop {
            let score = self.negamax::<Root>(Node {
                position,
                window,
                depth,
                ply: Ply::ROOT,
                expect: Expect::All,
                without: None,
            });
            self.root.sort();
            let score = score?;
            if window.contains(score) || self.root.len() == 0 {
                return Ok(());
            }
            self.report_failure(window.fails_high(score));
            window = widened(window, score, delta);
            delta += delta * params::aspiration_growth() / 100;
        }
    }
}

fn around(score: Score, delta: i32) -> Window {
    if score.is_decisive() {
        return Window::FULL;
    }
    Window::new(score - delta, score + delta)
}

/// The window opened further on the side where `score` fell out of it.
fn widened(window: Window, score: Score, delta: i32) -> Window {
    if delta > WIDE || score.is_decisive() {
        return Window::FULL;
    }
    if window.fails_low(score) {
        let beta = window.alpha().half_way_to(window.beta());
        Window::new((score - delta).max(-Score::INFINITE), beta)
    } else {
        Window::new(window.alpha(), (score + delta).min(Score::INFINITE))
    }
}
