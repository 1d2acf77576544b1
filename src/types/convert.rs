//! Number conversions with a name, so that no bare `as` is scattered through the code.

/// `value` as `i16`, saturating at the ends of its range.
#[expect(clippy::cast_possible_truncation, reason = "clamped first")]
pub const fn saturate_i16(value: i32) -> i16 {
    if value > i16::MAX as i32 {
        i16::MAX
    } else if value < i16::MIN as i32 {
        i16::MIN
    } else {
        value as i16
    }
}

/// The low 16 bits of `value`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is asked for"
)]
pub const fn low_u16(value: u64) -> u16 {
    value as u16
}

/// The low 8 bits of `value`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is asked for"
)]
pub const fn low_u8(value: u64) -> u8 {
    value as u8
}

/// The low 32 bits of `value`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is asked for"
)]
pub const fn low_u32(value: u64) -> u32 {
    value as u32
}

/// The high 64 bits of the 128-bit product: scales a uniform `factor` to `0..range`
/// (D. Lemire, "Fast random integer generation in an interval", 2019).
pub const fn multiply_high(factor: u64, range: u64) -> u64 {
    ((factor as u128 * range as u128) >> 64) as u64
}

/// `value` as a size in memory, saturating.
#[expect(clippy::cast_possible_truncation, reason = "saturated first")]
pub const fn size(value: u64) -> usize {
    if value > usize::MAX as u64 {
        usize::MAX
    } else {
        value as usize
    }
}

/// A size as `u64`; no machine has larger ones.
pub const fn wide(size: usize) -> u64 {
    size as u64
}

/// A count as `i32`, saturating.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "saturated first"
)]
pub const fn count_i32(count: usize) -> i32 {
    if count > i32::MAX as usize {
        i32::MAX
    } else {
        count as i32
    }
}

/// A count as a real number; exact below 2^53.
#[expect(
    clippy::cast_precision_loss,
    reason = "used for ratios that are shown to people"
)]
pub const fn real(count: u64) -> f64 {
    count as f64
}

/// `value` as an index; negative values become 0.
#[expect(clippy::cast_sign_loss, reason = "negative values are handled first")]
pub const fn index(value: i32) -> usize {
    if value < 0 { 0 } else { value as usize }
}

/// The real number `value` rounded towards zero, saturating.
#[expect(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, which is what is wanted"
)]
pub const fn truncate_i32(value: f64) -> i32 {
    value as i32
}

/// A count as a single-precision number; exact below 2^24.
#[expect(
    clippy::cast_precision_loss,
    reason = "used for ratios and sizes of networks"
)]
pub const fn real32(count: usize) -> f32 {
    count as f32
}

/// `value` in single precision.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest single is what is wanted"
)]
pub const fn narrow(value: f64) -> f32 {
    value as f32
}

/// The integer nearest to `value`, saturating.
#[expect(
    clippy::cast_possible_truncation,
    reason = "`as` saturates, which is what is wanted"
)]
pub const fn round_i32(value: f32) -> i32 {
    value.round() as i32
}

/// The natural number nearest to `value`, saturating; negative values become 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
pub const fn round_u16(value: f64) -> u16 {
    value.round() as u16
}

/// `value` as `i32`, saturating at the ends of its range.
#[expect(clippy::cast_possible_truncation, reason = "clamped first")]
pub const fn saturate_i32(value: i64) -> i32 {
    if value > i32::MAX as i64 {
        i32::MAX
    } else if value < i32::MIN as i64 {
        i32::MIN
    } else {
        value as i32
    }
}
