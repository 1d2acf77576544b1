//! The specification: what the vector kernels must compute, in plain code.

use crate::nnue::{
    arch::QA,
    network::{InputRow, Row},
};

/// `to` becomes `from` plus the rows `added` less the rows `removed`, modulo 2^16.
pub(super) fn update(to: &mut Row, from: &Row, added: &[&InputRow], removed: &[&InputRow]) {
    *to = from.clone();
    for row in added {
        for (sum, term) in to.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(i16::from(*term));
        }
    }
    for row in removed {
        for (sum, term) in to.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(i16::from(*term));
        }
    }
}

/// Squared clipped activations of both sides times `weights`, summed modulo 2^32.
///
/// The product of an activation and a weight fits 16 bits, which is why the vector
/// kernels may multiply in this order: activation times weight, times activation.
pub(super) fn output(own: &Row, foreign: &Row, weights: &[Row; 2]) -> i32 {
    let mut sum = 0_i32;
    for (row, weights) in [own, foreign].into_iter().zip(weights) {
        for (value, weight) in row.0.iter().zip(&weights.0) {
            let active = (*value).clamp(0, QA);
            let product = i32::from(active.wrapping_mul(*weight)) * i32::from(active);
            sum = sum.wrapping_add(product);
        }
    }
    sum
}
