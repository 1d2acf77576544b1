//! Foreign text, made fit to be repeated inside one line of an error message.
//!
//! Invariant: whatever bytes came in, at most [`LIMIT`] characters go out (plus
//! quotes and an ellipsis), none of them a line break or another control character.

use std::fmt::{self, Write};

/// The most characters of a foreign text that are repeated.
const LIMIT: usize = 72;

/// Shows a text in single quotes, escaped and shortened.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('\'')?;
        let mut room = LIMIT;
        for character in self.0.chars() {
            let escaped = character.escape_debug();
            let Some(left) = room.checked_sub(escaped.len()) else {
                f.write_str("...")?;
                break;
            };
            room = left;
            escaped.fmt(f)?;
        }
        f.write_char('\'')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_length_is_bounded() {
        assert_eq!(Quoted("e2e5").to_string(), "'e2e5'");
        assert_eq!(Quoted("a\nb\0").to_string(), "'a\\nb\\0'");
        let long = Quoted(&"x".repeat(10_000_000)).to_string();
        assert_eq!(long.len(), LIMIT + 5);
        let hard = Quoted(&"\u{1}".repeat(500)).to_string();
        assert!(hard.len() <= LIMIT + 5);
    }
}
