//! Positions that stay together when others are shuffled.
//!
//! Positions that follow each other in a game, or come of one parent, have most of what a network
//! sees in common, and cost less when they are learned together. They teach less than as
//! many from everywhere, so families are small. Invariant: every position belongs to one family.

use super::sample::Sample;

/// Positions of a family at most.
const LARGEST: usize = 8;

/// Adds a position of a game that has those from number `first` on.
pub(super) fn add(samples: &mut Vec<Sample>, first: usize, sample: Sample) {
    let begins = (samples.len() - first).is_multiple_of(LARGEST);
    samples.push(sample.following(!begins));
}

/// The family that begins with number `begin` of `samples`.
pub(super) fn of(samples: &[Sample], begin: u32) -> &[Sample] {
    let family = samples.get(begin as usize..).unwrap_or_default();
    let (first, others) = family.split_at(family.len().min(1));
    let more = others.iter().take_while(|sample| sample.follows()).count();
    &family[..first.len() + more]
}

/// Where the families of `samples` begin, in order.
pub(super) fn begins(samples: &[Sample]) -> Vec<u32> {
    let numbered = (0..).zip(samples);
    numbered
        .filter_map(|(number, sample)| (!sample.follows()).then_some(number))
        .collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn every_position_belongs_to_one_family() {
        let numbered = |score| Sample::new(&Chess::default(), score, None);
        let mut samples = Vec::new();
        for (begin, positions) in [(0, 5), (5, 1), (6, 19), (25, 8)] {
            let first = samples.len();
            for number in begin..begin + positions {
                add(&mut samples, first, numbered(number));
            }
        }
        let families: Vec<&[Sample]> = begins(&samples)
            .iter()
            .map(|begin| of(&samples, *begin))
            .collect();
        let sizes: Vec<usize> = families.iter().map(|family| family.len()).collect();
        assert_eq!(sizes, [5, 1, 8, 8, 3, 8]);
        assert_eq!(families.concat(), samples);
    }
}
