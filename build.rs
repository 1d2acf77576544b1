//! Says which network is built in: `src/nnue/network.nnue`, or the file that the environment
//! variable `EVALFILE` names (`make EVALFILE=…` sets it).

use std::{env, path::Path};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chosen = env::var_os("EVALFILE").filter(|path| !path.is_empty());
    let network = chosen.map_or_else(
        || root.join("src/nnue/network.nnue"),
        |path| root.join(path),
    );
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed={}", network.display());
    println!("cargo::rustc-env=ARBORIST_NETWORK={}", network.display());
}
