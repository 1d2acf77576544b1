//! The training loop: one batch and one step after the other.
//!
//! The loss is the squared error of the expected result. Time is counted in
//! superbatches, after each of which the network is judged on games it never learns
//! from.

use std::{path::PathBuf, time::Instant};

use anyhow::{Context, Result, ensure};

use super::{
    adam::Step,
    checkpoint::State,
    family,
    model::{Model, Shape},
    quantise,
    sample::Sample,
    sampler::Sampler,
    schedule::Schedule,
    team::Team,
};
use crate::{nnue::weights::Parameters, types::convert};

pub use super::batch::Blend as Target;

/// Held-out positions that are judged after each superbatch, at most.
const JUDGED: usize = 1 << 18;

/// How a network is to be trained.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Sizes of the network.
    pub shape: Shape,
    /// What is to be learned.
    pub target: Target,
    /// The learning rate over time; its steps are those of the whole run.
    pub schedule: Schedule,
    /// Share of every weight that decays in a step at learning rate 1.
    pub decay: f32,
    /// Positions of one step.
    pub batch: usize,
    /// Steps of one superbatch.
    pub superbatch: usize,
    /// Seed of the first weights.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
    /// Where to keep the state of the run, if anywhere.
    pub checkpoint: Option<PathBuf>,
    /// Superbatches between two checkpoints.
    pub checkpoint_every: usize,
}

/// What one superbatch brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// Steps done so far.
    pub step: usize,
    /// Mean loss while learning.
    pub training: f64,
    /// Loss on held-out games.
    pub validation: f64,
    /// Learning rate at its end.
    pub rate: f32,
    /// Positions learned a second.
    pub speed: f64,
}

impl Record {
    /// How many numbers a record is.
    pub(super) const NUMBERS: usize = 5;

    pub(super) fn to_numbers(self) -> [f64; Self::NUMBERS] {
        [
            convert::real(self.step as u64),
            self.training,
            self.validation,
            f64::from(self.rate),
            self.speed,
        ]
    }

    pub(super) fn from_numbers(numbers: [f64; Self::NUMBERS]) -> Self {
        let [step, training, validation, rate, speed] = numbers;
        Self {
            step: convert::index(convert::truncate_i32(step)),
            training,
            validation,
            rate: convert::narrow(rate),
            speed,
        }
    }
}

/// Watches a run.
pub trait Observer {
    /// The data is loaded: so many positions in the first portion, so many held out.
    fn loaded(&mut self, positions: usize, held_out: usize) {
        let _ = (positions, held_out);
    }
    /// A step is done, with this loss.
    fn stepped(&mut self, step: usize, loss: f64);
    /// A superbatch is done.
    fn recorded(&mut self, record: &Record);
}

/// What a run begins with.
#[derive(Clone, Debug)]
pub enum Start {
    /// Small random weights.
    Random,
    /// A network that has learned before; the run is a new one all the same.
    Network(Box<Parameters>),
    /// The checkpoint of the same run.
    Checkpoint,
}

/// Trains a network and returns it with the record of every superbatch.
///
/// # Errors
/// When the data or the checkpoint cannot be read or written, or does not fit the settings.
pub fn train(
    settings: &Settings,
    sampler: &Sampler,
    start: &Start,
    observer: &mut dyn Observer,
) -> Result<(Model, Vec<Record>)> {
    let mut state = settings.first_state(start)?;
    let held_out = judged(sampler)?;
    let mut stream = Stream::open(sampler, state.turn, settings.batch)?;
    observer.loaded(stream.portion.len(), held_out.len());
    let mut team = Team::new(&settings.shape, settings.target, settings.threads);
    while state.step < settings.schedule.steps {
        let record = superbatch(settings, &mut state, &mut stream, &mut team, observer)?;
        let validation = team.judge(&state.model, &held_out);
        let record = Record {
            validation,
            ..record
        };
        state.records.push(record);
        observer.recorded(&record);
        if settings.is_checkpoint_due(&state)
            && let Some(path) = &settings.checkpoint
        {
            state.save(path)?;
        }
    }
    Ok((state.model, state.records))
}

/// The held-out positions that the network is judged on.
fn judged(sampler: &Sampler) -> Result<Vec<Sample>> {
    let held_out = sampler.held_out()?;
    let families = sampler.deal(&held_out, 0).into_iter();
    let chosen = families.flat_map(|begin| family::of(&held_out, begin));
    Ok(chosen.take(JUDGED).copied().collect())
}

/// Learns until the next multiple of a superbatch, or the end.
fn superbatch(
    settings: &Settings,
    state: &mut State,
    stream: &mut Stream<'_>,
    team: &mut Team,
    observer: &mut dyn Observer,
) -> Result<Record> {
    let (begin, first) = (Instant::now(), state.step);
    let (mut loss, mut rate) = (0.0, 0.0);
    while state.step < settings.schedule.steps {
        let batch = stream.next(&mut state.turn, &mut state.used)?;
        rate = settings.schedule.rate(state.step);
        let number = convert::count_i32(state.step + 1);
        let batch_loss = team.learn(state, batch, Step::new(number, rate, settings.decay));
        state.step += 1;
        loss += batch_loss;
        observer.stepped(state.step, batch_loss);
        if state.step.is_multiple_of(settings.superbatch.max(1)) {
            break;
        }
    }
    let steps = state.step - first;
    let positions = convert::real((steps * settings.batch) as u64);
    Ok(Record {
        step: state.step,
        training: loss / convert::real(steps.max(1) as u64),
        validation: 0.0,
        rate,
        speed: positions / begin.elapsed().as_secs_f64(),
    })
}

impl Settings {
    fn first_state(&self, start: &Start) -> Result<State> {
        match start {
            Start::Random => Ok(State::new(Model::random(self.shape, self.seed))),
            Start::Network(network) => Ok(State::new(quantise::restore(
                network, self.shape, self.seed,
            )?)),
            Start::Checkpoint => {
                let path = self.checkpoint.as_ref();
                State::load(path.context("no checkpoint is kept")?, self.shape)
            }
        }
    }

    fn is_checkpoint_due(&self, state: &State) -> bool {
        let superbatches = state.records.len();
        superbatches.is_multiple_of(self.checkpoint_every.max(1))
            || state.step >= self.schedule.steps
    }
}

/// The data as an endless row of batches.
struct Stream<'a> {
    sampler: &'a Sampler,
    portion: Vec<Sample>,
    /// Where the portion's families begin, in the order of their use.
    families: Vec<u32>,
    /// Positions of a batch.
    size: usize,
    batch: Vec<Sample>,
}

impl<'a> Stream<'a> {
    /// Opens the data at portion `turn`, for batches of `size` positions.
    fn open(sampler: &'a Sampler, turn: u64, size: usize) -> Result<Self> {
        let mut stream = Self {
            sampler,
            portion: Vec::new(),
            families: Vec::new(),
            size,
            batch: Vec::new(),
        };
        stream.load(turn)?;
        stream.families = sampler.deal(&stream.portion, turn);
        Ok(stream)
    }

    /// Takes portion `turn` into memory, in the place of the one before.
    fn load(&mut self, turn: u64) -> Result<()> {
        self.portion = Vec::new();
        self.portion = self.sampler.portion(turn)?;
        let positions = self.portion.len();
        ensure!(
            self.size > 0 && positions >= self.size,
            "{positions} positions are less than one batch"
        );
        ensure!(
            u32::try_from(positions).is_ok(),
            "{positions} positions are too many at once: use less memory"
        );
        Ok(())
    }

    /// The next batch of portion `turn`, of which `used` families were used already;
    /// moves on to the next portion when this one is used up.
    fn next(&mut self, turn: &mut u64, used: &mut usize) -> Result<&[Sample]> {
        while !self.gather(used) {
            *turn += 1;
            *used = 0;
            if self.sampler.portions() > 1 {
                self.load(*turn)?;
            }
            self.families = self.sampler.deal(&self.portion, *turn);
        }
        Ok(&self.batch)
    }

    /// Puts families into the batch until it is full; what is too much of the last one is left out.
    /// False if there are too few.
    fn gather(&mut self, used: &mut usize) -> bool {
        self.batch.clear();
        for begin in self.families.iter().skip(*used) {
            *used += 1;
            self.batch
                .extend_from_slice(family::of(&self.portion, *begin));
            if self.batch.len() >= self.size {
                self.batch.truncate(self.size);
                return true;
            }
        }
        false
    }
}
