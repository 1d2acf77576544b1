//! The kinds of options UCI knows, each of which reads, checks and describes its values.
//!
//! An option's kind is a value of one of these types; what a user may type and what
//! the answer to `uci` says both come from it, so that they cannot disagree.

use crate::types::Quoted;

/// What stands for a text that is empty, which UCI cannot write otherwise.
pub const EMPTY: &str = "<empty>";

/// How an option is announced: the part of UCI's `option` line after the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A whole number with its default and range, both ends included.
    Spin {
        /// Value before anybody sets one.
        default: i32,
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
    },
    /// Yes or no.
    Check {
        /// Value before anybody sets one.
        default: bool,
    },
    /// Any words, such as a path.
    Text {
        /// What is announced as the value before anybody sets one; never empty.
        default: &'static str,
    },
    /// Something to press; has no value.
    Button,
}

/// What all kinds of options can do.
pub trait Kind {
    /// What the program gets to see.
    type Value;

    /// The value before anybody sets one.
    fn initial(&self) -> Self::Value;

    /// The value that `text` stands for.
    ///
    /// # Errors
    /// A sentence about what is wrong with `text`, the culprit quoted.
    fn read(&self, text: Option<&str>) -> Result<Self::Value, String>;

    /// How the option is announced.
    fn shape(&self) -> Shape;
}

/// A whole number within a range.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    /// Value before anybody sets one.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
}

impl Kind for Spin {
    type Value = i32;

    fn initial(&self) -> i32 {
        self.default
    }

    fn read(&self, text: Option<&str>) -> Result<i32, String> {
        let text = given(text)?;
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("{} is not a whole number", Quoted(text)));
        }
        text.parse()
            .ok()
            .filter(|value| (self.min..=self.max).contains(value))
            .ok_or_else(|| match text.len() {
                0..=40 => format!("{text} is outside {}..={}", self.min, self.max),
                _ => format!("{} is outside {}..={}", Quoted(text), self.min, self.max),
            })
    }

    fn shape(&self) -> Shape {
        let Self { default, min, max } = *self;
        Shape::Spin { default, min, max }
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Value before anybody sets one.
    pub default: bool,
}

impl Kind for Check {
    type Value = bool;

    fn initial(&self) -> bool {
        self.default
    }

    fn read(&self, text: Option<&str>) -> Result<bool, String> {
        let text = given(text)?;
        match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => Ok(true),
            "false" | "off" | "0" => Ok(false),
            _ => Err(format!("{} is neither true nor false", Quoted(text))),
        }
    }

    fn shape(&self) -> Shape {
        Shape::Check {
            default: self.default,
        }
    }
}

/// Any words, such as a path. The announced default, `<empty>` (which is how the protocol
/// writes an empty value) and no words at all stand for nothing: the empty string.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// What is announced for nothing; never empty.
    pub default: &'static str,
}

impl Kind for Text {
    type Value = String;

    fn initial(&self) -> String {
        String::new()
    }

    fn read(&self, text: Option<&str>) -> Result<String, String> {
        let text = text.map_or("", str::trim);
        let nothing = text == self.default || text == EMPTY;
        Ok(if nothing { "" } else { text }.to_owned())
    }

    fn shape(&self) -> Shape {
        Shape::Text {
            default: self.default,
        }
    }
}

/// Words of ours that a client may show and nobody can change.
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    /// The words.
    pub words: &'static str,
}

impl Kind for Notice {
    type Value = ();

    fn initial(&self) {}

    fn read(&self, text: Option<&str>) -> Result<(), String> {
        match text.map_or("", str::trim) {
            "" | EMPTY => Ok(()),
            same if same == self.words => Ok(()),
            other => Err(format!("{} cannot be set", Quoted(other))),
        }
    }

    fn shape(&self) -> Shape {
        Shape::Text {
            default: self.words,
        }
    }
}

/// Something to press. A value that comes with it is ignored, as some clients send one.
#[derive(Clone, Copy, Debug)]
pub struct Button {}

impl Kind for Button {
    type Value = ();

    fn initial(&self) {}

    fn read(&self, _text: Option<&str>) -> Result<(), String> {
        Ok(())
    }

    fn shape(&self) -> Shape {
        Shape::Button
    }
}

fn given(text: Option<&str>) -> Result<&str, String> {
    match text.map(str::trim) {
        None | Some("") => Err("a value is needed".to_owned()),
        Some(text) => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spin_takes_whole_numbers_of_its_range() {
        let spin = Spin {
            default: 16,
            min: 1,
            max: 1024,
        };
        assert_eq!(spin.read(Some(" 64 ")), Ok(64));
        assert_eq!(spin.read(Some("+1024")), Ok(1024));
        for (bad, why) in [
            ("0", "0 is outside 1..=1024"),
            ("-5", "-5 is outside 1..=1024"),
            (
                "99999999999999999999",
                "99999999999999999999 is outside 1..=1024",
            ),
            ("abc", "'abc' is not a whole number"),
            ("1.5", "'1.5' is not a whole number"),
            ("-", "'-' is not a whole number"),
            (" ", "a value is needed"),
        ] {
            assert_eq!(spin.read(Some(bad)), Err(why.to_owned()), "{bad}");
        }
        assert_eq!(spin.read(None), Err("a value is needed".to_owned()));
    }

    #[test]
    fn a_check_takes_what_people_write() {
        let check = Check { default: false };
        assert_eq!(check.read(Some("TRUE")), Ok(true));
        assert_eq!(check.read(Some("off")), Ok(false));
        assert!(check.read(Some("maybe")).is_err());
        assert!(check.read(None).is_err());
    }

    #[test]
    fn a_text_keeps_its_blanks_and_knows_nothing() {
        let text = Text {
            default: "<internal>",
        };
        let read = |words| text.read(words);
        assert_eq!(read(Some(" /a  b/c.net ")), Ok("/a  b/c.net".to_owned()));
        for nothing in [None, Some(""), Some("  "), Some("<empty>")] {
            assert_eq!(read(nothing), Ok(String::new()));
        }
        assert_eq!(read(Some("<internal>")), Ok(text.initial()));
    }
}
