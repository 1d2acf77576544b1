//! The network as the engine computes with it: rows of fixed length, aligned.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, Read},
    path::Path,
    sync::{Arc, LazyLock},
};

use super::{
    arch::{self, OUTPUTS, WIDTH},
    weights::{NetworkError, Parameters},
};
use crate::types::Quoted;

/// No more than so many bytes of a file are looked at; every network is smaller.
const LARGEST_FILE: u64 = 256 << 20;

/// One number for each hidden neuron of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub(super) [i16; WIDTH]);

impl Row {
    /// Zeros.
    pub const ZERO: Self = Self([0; WIDTH]);
}

/// What one input adds to each hidden neuron. Bytes, because a position needs some ten rows out of
/// thousands: fetching them takes the time, not adding them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct InputRow(pub(super) [i8; WIDTH]);

/// A network of the engine's own architecture.
#[derive(Debug)]
pub struct Network {
    pub(super) rows: Box<[InputRow]>,
    pub(super) bias: Row,
    /// By output bucket: weights of the own side's neurons, then of the foreign side's.
    pub(super) outputs: Box<[[Row; 2]]>,
    pub(super) output_bias: [i32; OUTPUTS],
}

impl Network {
    /// The network in a file's bytes.
    ///
    /// # Errors
    /// When they are no sound network, or one of another architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::new(&Parameters::from_bytes(bytes)?)
    }

    /// The network of these parameters.
    ///
    /// # Errors
    /// When their sizes are not the engine's.
    pub fn new(parameters: &Parameters) -> Result<Self, NetworkError> {
        if parameters.buckets != arch::KING_BUCKETS || parameters.width != WIDTH {
            return Err(NetworkError::Architecture(parameters.architecture()));
        }
        let other = || NetworkError::Architecture(parameters.architecture());
        let rows = rows(&parameters.input_weights);
        let outputs = rows_in_pairs(&parameters.output_weights);
        let bias = <[i16; WIDTH]>::try_from(parameters.bias.as_slice()).map_err(|_| other())?;
        let output_bias = <[i32; OUTPUTS]>::try_from(parameters.output_bias.as_slice());
        if rows.len() != arch::INPUTS || outputs.len() != OUTPUTS {
            return Err(other());
        }
        Ok(Self {
            rows,
            bias: Row(bias),
            outputs,
            output_bias: output_bias.map_err(|_| other())?,
        })
    }

    /// The network in a file.
    ///
    /// # Errors
    /// When the file cannot be read or holds no network for this engine; says why.
    pub fn load(path: &Path) -> Result<Arc<Self>, String> {
        let shown = path.to_string_lossy();
        let named = |reason: &dyn Display| format!("{}: {reason}", Quoted(&shown));
        let bytes = read(path).map_err(|error| named(&error))?;
        let network = Self::from_bytes(&bytes).map_err(|error| named(&error))?;
        Ok(Arc::new(network))
    }

    /// The network that is part of the engine.
    pub fn embedded() -> Arc<Self> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!(env!("ARBORIST_NETWORK")));
            Arc::new(network.expect("a test reads the embedded file"))
        });
        Arc::clone(&NETWORK)
    }
}

/// The bytes of an ordinary file: a device or a pipe might never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not an ordinary file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(LARGEST_FILE)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn rows(numbers: &[i8]) -> Box<[InputRow]> {
    let (rows, _) = numbers.as_chunks::<WIDTH>();
    rows.iter().map(|row| InputRow(*row)).collect()
}

fn rows_in_pairs(numbers: &[i16]) -> Box<[[Row; 2]]> {
    let (rows, _) = numbers.as_chunks::<WIDTH>();
    let (pairs, _) = rows.as_chunks::<2>();
    pairs
        .iter()
        .map(|[own, foreign]| [Row(*own), Row(*foreign)])
        .collect()
}
