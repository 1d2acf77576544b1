//! A network as a file: header, checksum, integers in little-endian order.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `ARBORIST` |
//! | 4 | version of the format, 3 |
//! | 16 | name of the partition of king squares, padded with zeros |
//! | 4, 4, 4 | hidden neurons, output neurons, scale |
//! | 8 | checksum of all that follows |
//! | 1 each | first layer by input (king bucket, kind of piece, condition, square) |
//! | 2 each | its biases, output weights (bucket, side, neuron) |
//! | 4 each | biases of the output neurons |
//!
//! A file whose header, length or checksum is wrong is refused, and so is one whose
//! weights could overflow the arithmetic of inference: after reading, no input can.

use std::{error, fmt};

use super::{arch, features::KingBuckets};

const MAGIC: &[u8; 8] = b"ARBORIST";
const VERSION: u32 = 3;
const NAME: usize = 16;
const HEADER: usize = 8 + 4 + NAME + 12 + 8;

/// Largest magnitude of a weight of the first layer.
pub const MAX_INPUT_WEIGHT: i8 = i8::MAX;
/// Largest magnitude of a bias of the first layer: with 64 weights it fits 16 bits.
pub const MAX_BIAS: i16 = i16::MAX - 64 * MAX_INPUT_WEIGHT as i16;
/// Largest magnitude of an output weight: times an activation it fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 254;
/// Largest sum of magnitudes of one output neuron's weights: times the square of the
/// largest activation it fits 32 bits.
pub const MAX_OUTPUT_SUM: i32 = i32::MAX / (arch::QA as i32 * arch::QA as i32);

/// Why a file is no network for this engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file does not begin like a network of this engine.
    NotANetwork,
    /// The format's version is another.
    Version(u32),
    /// The network has other sizes than this engine; says which.
    Architecture(String),
    /// The length in bytes is another than the header promises.
    Length {
        /// What the header promises.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// The checksum does not fit: the file is damaged.
    Checksum,
    /// A weight is so large that sums could overflow.
    Range,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANetwork => write!(f, "not a network file of this engine"),
            Self::Version(version) => {
                write!(
                    f,
                    "format version {version}, but this engine reads {VERSION}"
                )
            }
            Self::Architecture(name) => {
                let wanted = describe(arch::KING_BUCKETS.name(), arch::WIDTH, arch::OUTPUTS);
                write!(f, "architecture {name}, but this engine has {wanted}")
            }
            Self::Length { expected, found } => {
                write!(f, "{found} bytes long instead of {expected}: truncated?")
            }
            Self::Checksum => write!(f, "damaged: the checksum does not fit"),
            Self::Range => write!(f, "a weight is out of range"),
        }
    }
}

impl error::Error for NetworkError {}

fn describe(buckets: &str, width: usize, outputs: usize) -> String {
    let inputs = arch::INPUTS_PER_BUCKET;
    format!("{inputs} ({buckets}) -> {width}x2 -> {outputs}")
}

/// A quantised network of any size, as it is written to and read from files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Partition of the king's squares.
    pub buckets: KingBuckets,
    /// Hidden neurons a side.
    pub width: usize,
    /// Centipawns of one unit of output.
    pub scale: u32,
    /// First layer: `width` weights for each input.
    pub input_weights: Vec<i8>,
    /// Its biases.
    pub bias: Vec<i16>,
    /// Output weights: by bucket, own then foreign side.
    pub output_weights: Vec<i16>,
    /// Biases of the output neurons, in units of `QA * QB`.
    pub output_bias: Vec<i32>,
}

impl Parameters {
    /// Its sizes in words.
    pub fn architecture(&self) -> String {
        describe(self.buckets.name(), self.width, arch::OUTPUTS)
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let weights = self.input_weights.iter();
        let mut payload: Vec<u8> = weights.map(|weight| weight.cast_unsigned()).collect();
        for numbers in [&self.bias, &self.output_weights] {
            payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        payload.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let mut name = [0; NAME];
        for (to, from) in name.iter_mut().zip(self.buckets.name().bytes()) {
            *to = from;
        }
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(name);
        for number in [self.width, arch::OUTPUTS] {
            bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(payload);
        bytes
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are no sound network of a known architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader(bytes);
        if reader.take(8) != Some(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let found = bytes.len();
        let short = NetworkError::Length {
            expected: HEADER,
            found,
        };
        let header = reader.header().ok_or(short)?;
        if header.version != VERSION {
            return Err(NetworkError::Version(header.version));
        }
        let unknown = || NetworkError::Architecture(header.describe());
        let buckets = KingBuckets::by_name(&header.name).ok_or_else(unknown)?;
        let width = header.width as usize;
        if width > 1 << 14 || header.outputs as usize != arch::OUTPUTS {
            return Err(unknown());
        }
        let expected = HEADER + payload_len(buckets, width);
        if found != expected {
            return Err(NetworkError::Length { expected, found });
        }
        if checksum(reader.0) != header.checksum {
            return Err(NetworkError::Checksum);
        }
        let parameters = Self {
            buckets,
            width,
            scale: header.scale,
            input_weights: reader.bytes(arch::INPUTS_PER_BUCKET * buckets.count() * width),
            bias: reader.shorts(width),
            output_weights: reader.shorts(2 * width * arch::OUTPUTS),
            output_bias: reader.words(arch::OUTPUTS),
        };
        parameters.check()?;
        Ok(parameters)
    }

    /// The proof that inference cannot overflow.
    fn check(&self) -> Result<(), NetworkError> {
        let within = |numbers: &[i16], limit: i16| {
            numbers
                .iter()
                .all(|n| n.unsigned_abs() <= limit.unsigned_abs())
        };
        let sums = self.output_weights.chunks_exact(2 * self.width.max(1));
        let sum = |weights: &[i16]| weights.iter().map(|w| i32::from(w.abs())).sum::<i32>();
        const { assert!(MAX_INPUT_WEIGHT == i8::MAX, "any byte but the smallest") };
        let sound = !self.input_weights.contains(&i8::MIN)
            && within(&self.bias, MAX_BIAS)
            && within(&self.output_weights, MAX_OUTPUT_WEIGHT)
            && sums.map(sum).all(|sum| sum <= MAX_OUTPUT_SUM)
            && self.output_bias.iter().all(|b| b.abs() <= 1 << 24)
            && (1..=1 << 12).contains(&self.scale);
        if sound {
            Ok(())
        } else {
            Err(NetworkError::Range)
        }
    }
}

fn payload_len(buckets: KingBuckets, width: usize) -> usize {
    let inputs = arch::INPUTS_PER_BUCKET * buckets.count();
    inputs * width + 2 * (width + 2 * width * arch::OUTPUTS) + 4 * arch::OUTPUTS
}

/// FNV-1a over words of eight bytes (Fowler, Noll & Vo 1991).
fn checksum(payload: &[u8]) -> u64 {
    payload
        .chunks(8)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3)
        })
}

struct Header {
    version: u32,
    name: String,
    width: u32,
    outputs: u32,
    scale: u32,
    checksum: u64,
}

impl Header {
    fn describe(&self) -> String {
        describe(&self.name, self.width as usize, self.outputs as usize)
    }
}

/// Takes numbers from the front of the bytes.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    fn word(&mut self) -> Option<u32> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*front))
    }

    fn header(&mut self) -> Option<Header> {
        let version = self.word()?;
        let name = String::from_utf8_lossy(self.take(NAME)?)
            .trim_end_matches('\0')
            .to_owned();
        let (width, outputs, scale) = (self.word()?, self.word()?, self.word()?);
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(Header {
            version,
            name,
            width,
            outputs,
            scale,
            checksum: u64::from_le_bytes(*front),
        })
    }

    fn bytes(&mut self, count: usize) -> Vec<i8> {
        let bytes = self.take(count).unwrap_or_default();
        bytes.iter().map(|byte| byte.cast_signed()).collect()
    }

    fn shorts(&mut self, count: usize) -> Vec<i16> {
        let bytes = self.take(2 * count).unwrap_or_default();
        let (pairs, _) = bytes.as_chunks();
        pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
    }

    fn words(&mut self, count: usize) -> Vec<i32> {
        let bytes = self.take(4 * count).unwrap_or_default();
        let (words, _) = bytes.as_chunks();
        words.iter().map(|word| i32::from_le_bytes(*word)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Parameters {
        let width = 32;
        Parameters {
            buckets: KingBuckets::SINGLE,
            width,
            scale: 140,
            input_weights: (-127..=127)
                .cycle()
                .take(arch::INPUTS_PER_BUCKET * width)
                .collect(),
            bias: (0..32).collect(),
            output_weights: (0..2 * 32 * 8).map(|i| i % 200 - 100).collect(),
            output_bias: (0..8).collect(),
        }
    }

    #[test]
    fn files_survive_the_round_trip() {
        let parameters = sample();
        let read = Parameters::from_bytes(&parameters.to_bytes());
        assert_eq!(read, Ok(parameters));
    }

    #[test]
    fn bad_files_are_refused() {
        let good = sample().to_bytes();
        let refuse = |bytes: &[u8]| Parameters::from_bytes(bytes).unwrap_err();
        assert_eq!(refuse(b""), NetworkError::NotANetwork);
        assert_eq!(refuse(&good[..7]), NetworkError::NotANetwork);
        assert!(matches!(refuse(&good[..20]), NetworkError::Length { .. }));
        let short = &good[..good.len() - 1];
        assert!(matches!(refuse(short), NetworkError::Length { .. }));
        let mut damaged = good.clone();
        damaged[1000] ^= 1;
        assert_eq!(refuse(&damaged), NetworkError::Checksum);
        let mut other = good.clone();
        other[8] = 9;
        assert_eq!(refuse(&other), NetworkError::Version(9));
        let mut unknown = good;
        unknown[12] = b'x';
        assert!(matches!(refuse(&unknown), NetworkError::Architecture(_)));
        let mut wild = sample();
        wild.input_weights[5] = i8::MIN;
        assert_eq!(refuse(&wild.to_bytes()), NetworkError::Range);
    }
}
