//! The state of a training run on disk, from which it can go on.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use anyhow::{Context, Result, ensure};

use super::{
    adam::Moments,
    model::{Model, Shape},
    output::Output,
    trainer::Record,
};
use crate::nnue::arch;

/// The first version was "ARBTRAIN", of networks that had no shared rows; the second had wider
/// blocks; the third had other rows; the fourth counted positions where this one counts families.
const MAGIC: &[u8; 8] = b"ARBTRN05";

/// Everything that changes while training.
pub(super) struct State {
    pub(super) model: Model,
    pub(super) moments: Moments,
    pub(super) bias_moments: Moments,
    /// Steps done.
    pub(super) step: usize,
    /// Portions of data begun.
    pub(super) turn: u64,
    /// Families of the current portion already used.
    pub(super) used: usize,
    /// One record for each superbatch.
    pub(super) records: Vec<Record>,
}

impl State {
    /// The beginning of a run with that model.
    pub(super) fn new(model: Model) -> Self {
        Self {
            moments: Moments::new(model.master.len()),
            bias_moments: Moments::new(arch::OUTPUTS),
            model,
            step: 0,
            turn: 0,
            used: 0,
            records: Vec::new(),
        }
    }

    /// Writes the state, replacing the file only when it is complete.
    pub(super) fn save(&self, path: &Path) -> Result<()> {
        let mut out = Output::create(path)?;
        out.add(MAGIC)?;
        let shape = self.model.shape();
        let numbers = [
            shape.buckets().count() as u64,
            shape.width() as u64,
            self.step as u64,
            self.turn,
            self.used as u64,
            self.records.len() as u64,
        ];
        for number in numbers {
            out.add(&number.to_le_bytes())?;
        }
        for record in &self.records {
            for number in record.to_numbers() {
                out.add(&number.to_le_bytes())?;
            }
        }
        for floats in self.floats() {
            for float in floats {
                out.add(&float.to_le_bytes())?;
            }
        }
        out.finish()
    }

    fn floats(&self) -> [&[f32]; 6] {
        [
            &self.model.master,
            &self.moments.mean,
            &self.moments.square,
            &self.model.output_bias,
            &self.bias_moments.mean,
            &self.bias_moments.square,
        ]
    }

    /// Reads the state of a run with a network of `shape`.
    pub(super) fn load(path: &Path, shape: Shape) -> Result<Self> {
        let complain = || format!("cannot read the checkpoint {}", path.display());
        let mut input = BufReader::new(File::open(path).with_context(complain)?);
        let mut magic = [0; 8];
        input.read_exact(&mut magic).with_context(complain)?;
        ensure!(
            &magic == MAGIC,
            "{} is no checkpoint of this version",
            path.display()
        );
        let mut number = || -> Result<u64> {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes).with_context(complain)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let (buckets, width) = (number()?, number()?);
        ensure!(
            buckets == shape.buckets().count() as u64 && width == shape.width() as u64,
            "{} belongs to a network of other sizes",
            path.display()
        );
        let mut state = Self::new(Model::zero(shape));
        state.step = usize::try_from(number()?)?;
        state.turn = number()?;
        state.used = usize::try_from(number()?)?;
        for _ in 0..number()? {
            let mut numbers = [0.0; Record::NUMBERS];
            for to in &mut numbers {
                *to = f64::from_bits(number()?);
            }
            state.records.push(Record::from_numbers(numbers));
        }
        let targets = [
            &mut state.model.master,
            &mut state.moments.mean,
            &mut state.moments.square,
            &mut state.model.output_bias,
            &mut state.bias_moments.mean,
            &mut state.bias_moments.square,
        ];
        for floats in targets {
            for float in floats {
                let mut bytes = [0; 4];
                input.read_exact(&mut bytes).with_context(complain)?;
                *float = f32::from_le_bytes(bytes);
            }
        }
        state.model.merge();
        Ok(state)
    }
}
