//! Kernels for AVX-512: 32 numbers at a time.

use std::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_cvtepi8_epi16,
    _mm512_loadu_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16,
    _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_storeu_si512,
    _mm512_sub_epi16,
};

use super::{super::arch::QA, kernels};

kernels!("avx512f,avx512bw", 32, 16);

type Vector = __m512i;

#[target_feature(enable = "avx512f,avx512bw")]
fn load(lanes: &Lanes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    unsafe {
        _mm512_loadu_si512(std::ptr::from_ref(lanes).cast())
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn widen(bytes: &Bytes) -> Vector {
    // SAFETY: the reference covers exactly the bytes that are read, at any alignment.
    #[expect(unsafe_code, reason = "vector loads take raw pointers")]
    let bytes = unsafe { _mm256_loadu_si256(std::ptr::from_ref(bytes).cast()) };
    _mm512_cvtepi8_epi16(bytes)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn store(lanes: &mut Lanes, vector: Vector) {
    // SAFETY: the reference covers exactly the bytes that are written, at any alignment.
    #[expect(unsafe_code, reason = "vector stores take raw pointers")]
    unsafe {
        _mm512_storeu_si512(std::ptr::from_mut(lanes).cast(), vector);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn zero() -> Vector {
    _mm512_setzero_si512()
}

#[target_feature(enable = "avx512f,avx512bw")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi16(a, b)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm512_sub_epi16(a, b)
}

/// Activations between 0 and `QA`.
#[target_feature(enable = "avx512f,avx512bw")]
fn clamp(vector: Vector) -> Vector {
    _mm512_min_epi16(_mm512_max_epi16(vector, zero()), _mm512_set1_epi16(QA))
}

/// Adds active * active * weight, two neurons to each 32-bit sum.
#[target_feature(enable = "avx512f,avx512bw")]
fn dot(sum: Vector, active: Vector, weight: Vector) -> Vector {
    let weighted = _mm512_mullo_epi16(active, weight);
    _mm512_add_epi32(sum, _mm512_madd_epi16(weighted, active))
}

/// The sum of all 32-bit numbers.
#[target_feature(enable = "avx512f,avx512bw")]
fn total(sums: &[Vector; TILE]) -> i32 {
    let sum = sums.iter().fold(zero(), |a, b| _mm512_add_epi32(a, *b));
    _mm512_reduce_add_epi32(sum)
}
