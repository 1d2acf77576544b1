//! Which positions training learns from, as arguments of several tools.

use clap::Args;

use crate::learn::sampler::Filter;

/// The filter of the training.
#[derive(Args, Clone, Debug)]
pub(super) struct FilterArgs {
    /// For training, leave out positions with a score beyond this many centipawns.
    #[arg(long, default_value_t = Filter::default().max_score)]
    max_score: i16,
    /// For training, leave out the first plies of each game.
    #[arg(long, default_value_t = Filter::default().skip_plies)]
    skip_plies: usize,
}

impl FilterArgs {
    pub(super) const fn filter(&self) -> Filter {
        Filter {
            max_score: self.max_score,
            skip_plies: self.skip_plies,
        }
    }
}
