//! Kernels for AVX2: 16 numbers at a time.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::{super::arch::QA, kernels};

kernels!("avx2", 16, 8);

type Vector = __m256i;

#[target_feature(enable = "avx2")]
fn load(lanes: &Lanes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    unsafe {
        _mm256_loadu_si256(std::ptr::from_ref(lanes).cast())
    }
}

#[target_feature(enable = "avx2")]
fn widen(bytes: &Bytes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    let bytes = unsafe { _mm_loadu_si128(std::ptr::from_ref(bytes).cast()) };
    _mm256_cvtepi8_epi16(bytes)
}

#[target_feature(enable = "avx2")]
fn store(lanes: &mut Lanes, vector: Vector) {
    // SAFETY: the reference covers exactly the bytes that are written, at any alignment.
    #[expect(unsafe_code, reason = "vector stores take raw pointers")]
    unsafe {
        _mm256_storeu_si256(std::ptr::from_mut(lanes).cast(), vector);
    }
}

#[target_feature(enable = "avx2")]
fn zero() -> Vector {
    _mm256_setzero_si256()
}

#[target_feature(enable = "avx2")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm256_add_epi16(a, b)
}

#[target_feature(enable = "avx2")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm256_sub_epi16(a, b)
}

/// Activations between 0 and `QA`.
#[target_feature(enable = "avx2")]
fn clamp(vector: Vector) -> Vector {
    _mm256_min_epi16(_mm256_max_epi16(vector, zero()), _mm256_set1_epi16(QA))
}

/// Adds active * active * weight, two neurons to each 32-bit sum.
#[target_feature(enable = "avx2")]
fn dot(sum: Vector, active: Vector, weight: Vector) -> Vector {
    let weighted = _mm256_mullo_epi16(active, weight);
    _mm256_add_epi32(sum, _mm256_madd_epi16(weighted, active))
}

/// The sum of all 32-bit numbers.
#[target_feature(enable = "avx2")]
fn total(sums: &[Vector; TILE]) -> i32 {
    let sum = sums.iter().fold(zero(), |a, b| _mm256_add_epi32(a, *b));
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    let pairs = _mm_add_epi32(half, _mm_shuffle_epi32::<0b00_00_11_10>(half));
    let single = _mm_add_epi32(pairs, _mm_shuffle_epi32::<0b00_00_00_01>(pairs));
    _mm_cvtsi128_si32(single)
}
