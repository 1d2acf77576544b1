//! Says which network is built in: `src/nnue/network.nnue`, or the file that the environment
//! variable `EVALFILE` names (`make EVALFILE=…` sets it).

use std::{env, path::Path};

fn main() {
    // Asked for when the script runs: where it was compiled may be another checkout.
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let root = Path::new(&root);
    let chosen = env::var_os("EVALFILE").filter(|path| !path.is_empty());
    let network = chosen.map_or_else(
        || root.join("src/nnue/network.nnue"),
        |path| root.join(path),
    );
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed={}", network.display());
    println!("cargo::rustc-env=ARBORIST_NETWORK={}", network.display());
}
