//! Kernels for NEON: 8 numbers at a time.

use std::arch::aarch64::{
    int16x8_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vget_low_s16, vld1_s8, vld1q_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmovl_s8, vmulq_s16, vreinterpretq_s16_s32,
    vreinterpretq_s32_s16, vst1q_s16, vsubq_s16,
};

use super::{super::arch::QA, kernels};

kernels!("neon", 8, 8);

/// 16-bit numbers, or 32-bit sums under the same name.
type Vector = int16x8_t;

#[target_feature(enable = "neon")]
fn load(lanes: &Lanes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    unsafe {
        vld1q_s16(lanes.as_ptr())
    }
}

#[target_feature(enable = "neon")]
fn widen(bytes: &Bytes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    let bytes = unsafe { vld1_s8(bytes.as_ptr()) };
    vmovl_s8(bytes)
}

#[target_feature(enable = "neon")]
fn store(lanes: &mut Lanes, vector: Vector) {
    // SAFETY: the reference covers exactly the bytes that are written, at any alignment.
    #[expect(unsafe_code, reason = "vector stores take raw pointers")]
    unsafe {
        vst1q_s16(lanes.as_mut_ptr(), vector);
    }
}

#[target_feature(enable = "neon")]
fn zero() -> Vector {
    vdupq_n_s16(0)
}

#[target_feature(enable = "neon")]
fn add(a: Vector, b: Vector) -> Vector {
    vaddq_s16(a, b)
}

#[target_feature(enable = "neon")]
fn sub(a: Vector, b: Vector) -> Vector {
    vsubq_s16(a, b)
}

/// Activations between 0 and `QA`.
#[target_feature(enable = "neon")]
fn clamp(vector: Vector) -> Vector {
    vminq_s16(vmaxq_s16(vector, zero()), vdupq_n_s16(QA))
}

/// Adds active * active * weight, two neurons to each 32-bit sum.
#[target_feature(enable = "neon")]
fn dot(sum: Vector, active: Vector, weight: Vector) -> Vector {
    let weighted = vmulq_s16(active, weight);
    let sum = vreinterpretq_s32_s16(sum);
    let sum = vmlal_s16(sum, vget_low_s16(weighted), vget_low_s16(active));
    vreinterpretq_s16_s32(vmlal_high_s16(sum, weighted, active))
}

/// The sum of all 32-bit numbers.
#[target_feature(enable = "neon")]
fn total(sums: &[Vector; TILE]) -> i32 {
    let sum = sums
        .iter()
        .map(|sum| vreinterpretq_s32_s16(*sum))
        .reduce(|a, b| vaddq_s32(a, b));
    sum.map_or(0, |sum| vaddvq_s32(sum))
}
