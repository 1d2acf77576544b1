//! How this program was built, and what it makes of the machine that it runs on.

use std::{env::consts, fmt};

use crate::nnue::simd::Kernels;

/// The build, in lines of a name and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Build;

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = if cfg!(debug_assertions) {
            "without optimisation"
        } else {
            "optimised"
        };
        let tunable = if cfg!(feature = "tune") {
            ", every number of the search is an option"
        } else {
            ""
        };
        let available = Kernels::available();
        let names: Vec<_> = available.iter().map(Kernels::name).collect();
        writeln!(f, "version: {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(f, "built for: {} on {}", consts::ARCH, consts::OS)?;
        writeln!(f, "build: {profile}{tunable}")?;
        writeln!(f, "instruction sets here: {}", names.join(" "))?;
        write!(f, "in use: {}", Kernels::detect().name())
    }
}
