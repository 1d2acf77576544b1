//! The movetext of PGN: words in lines that are not too long, and values as its comments
//! write them.

use std::fmt;

/// Words, filled into lines of at most [`Movetext::WIDTH`] characters.
#[derive(Clone, Debug, Default)]
pub struct Movetext {
    text: String,
    /// Characters in the last line.
    column: usize,
    /// The next word follows without a blank.
    glued: bool,
}

impl Movetext {
    /// Characters of the longest line, as the standard's export format wants (Edwards 1994).
    pub const WIDTH: usize = 79;

    /// Adds a word, in a new line if it does not fit. A blank within a word is never broken.
    pub fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > Self::WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 && !self.glued {
            self.text.push(' ');
            self.column += 1;
        }
        self.text += word;
        self.column += length;
        self.glued = false;
    }

    /// The next word follows without a blank.
    pub fn glue(&mut self) {
        self.glued = true;
    }
}

impl fmt::Display for Movetext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A value for White as `[%eval …]` wants it, in moves to mate or else in pawns: `0.35`,
/// `-1.20`, `#3`, `#-2`, and `#0` for a mate on the board.
pub fn evaluation(mate: Option<i32>, centipawns: i32) -> String {
    if let Some(moves) = mate {
        return format!("#{moves}");
    }
    let sign = if centipawns < 0 { "-" } else { "" };
    let size = centipawns.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_are_pawns_with_two_decimals() {
        let pawns = |centipawns| evaluation(None, centipawns);
        assert_eq!((pawns(-5), pawns(1234)), ("-0.05".into(), "12.34".into()));
    }
}
