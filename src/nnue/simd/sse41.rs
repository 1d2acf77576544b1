//! Kernels for SSE4.1: 8 numbers at a time.

use std::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_add_epi32, _mm_cvtepi8_epi16, _mm_cvtsi128_si32, _mm_loadl_epi64,
    _mm_loadu_si128, _mm_madd_epi16, _mm_max_epi16, _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16,
    _mm_setzero_si128, _mm_shuffle_epi32, _mm_storeu_si128, _mm_sub_epi16,
};

use super::{super::arch::QA, kernels};

kernels!("sse4.1", 8, 8);

type Vector = __m128i;

#[target_feature(enable = "sse4.1")]
fn load(lanes: &Lanes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    unsafe {
        _mm_loadu_si128(std::ptr::from_ref(lanes).cast())
    }
}

#[target_feature(enable = "sse4.1")]
fn widen(bytes: &Bytes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    let bytes = unsafe { _mm_loadl_epi64(std::ptr::from_ref(bytes).cast()) };
    _mm_cvtepi8_epi16(bytes)
}

#[target_feature(enable = "sse4.1")]
fn store(lanes: &mut Lanes, vector: Vector) {
    // SAFETY: the reference covers exactly the bytes that are written, at any alignment.
    #[expect(unsafe_code, reason = "vector stores take raw pointers")]
    unsafe {
        _mm_storeu_si128(std::ptr::from_mut(lanes).cast(), vector);
    }
}

#[target_feature(enable = "sse4.1")]
fn zero() -> Vector {
    _mm_setzero_si128()
}

#[target_feature(enable = "sse4.1")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm_add_epi16(a, b)
}

#[target_feature(enable = "sse4.1")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm_sub_epi16(a, b)
}

/// Activations between 0 and `QA`.
#[target_feature(enable = "sse4.1")]
fn clamp(vector: Vector) -> Vector {
    _mm_min_epi16(_mm_max_epi16(vector, zero()), _mm_set1_epi16(QA))
}

/// Adds active * active * weight, two neurons to each 32-bit sum.
#[target_feature(enable = "sse4.1")]
fn dot(sum: Vector, active: Vector, weight: Vector) -> Vector {
    let weighted = _mm_mullo_epi16(active, weight);
    _mm_add_epi32(sum, _mm_madd_epi16(weighted, active))
}

/// The sum of all 32-bit numbers.
#[target_feature(enable = "sse4.1")]
fn total(sums: &[Vector; TILE]) -> i32 {
    let sum = sums.iter().fold(zero(), |a, b| _mm_add_epi32(a, *b));
    let pairs = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
    let single = _mm_add_epi32(pairs, _mm_shuffle_epi32::<0b00_00_00_01>(pairs));
    _mm_cvtsi128_si32(single)
}
