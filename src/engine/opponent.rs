//! Who sits on the other side: the value of `UCI_Opponent`.

use std::fmt;

use super::kinds::{EMPTY, Kind, Shape};
use crate::types::Quoted;

/// An opponent, as the protocol describes one: `GM 2800 human Gary Kasparov`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// A title such as `GM`, if there is one.
    pub title: Option<String>,
    /// The rating, if it is known.
    pub rating: Option<u32>,
    /// Whether it is a program.
    pub computer: bool,
    /// The name, if it is known; `XBoard` sends [`EMPTY`] for a person without one, others
    /// nothing.
    pub name: Option<String>,
}

impl Opponent {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let mut known = || {
            words
                .next()
                .map(|word| Some(word).filter(|word| *word != "none"))
        };
        let (title, rating, player) = (known()?, known()?, known()??);
        let computer = match player {
            "computer" => true,
            "human" => false,
            _ => return None,
        };
        let name: Vec<&str> = words.collect();
        Some(Self {
            title: title.map(str::to_owned),
            rating: rating.map(str::parse).transpose().ok()?,
            computer,
            name: Some(name.join(" ")).filter(|name| !name.is_empty() && name != EMPTY),
        })
    }
}

/// In words, to be repeated to the user.
impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the opponent is ")?;
        if let Some(title) = &self.title {
            write!(f, "{title} ")?;
        }
        if let Some(name) = &self.name {
            write!(f, "{name}, ")?;
        }
        let kind = if self.computer { "program" } else { "person" };
        write!(f, "a {kind}")?;
        match self.rating {
            Some(rating) => write!(f, " rated {rating}"),
            None => Ok(()),
        }
    }
}

/// The kind of the option: four fields, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Player {}

impl Kind for Player {
    type Value = Option<Opponent>;

    fn initial(&self) -> Option<Opponent> {
        None
    }

    fn read(&self, text: Option<&str>) -> Result<Option<Opponent>, String> {
        match text.map_or("", str::trim) {
            "" | EMPTY => Ok(None),
            text => Opponent::read(text).map(Some).ok_or_else(|| {
                let wanted = "title, rating, 'human' or 'computer', name";
                format!("{} is not {wanted}", Quoted(text))
            }),
        }
    }

    fn shape(&self) -> Shape {
        Shape::Text { default: EMPTY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_read_as_the_protocol_writes_them() {
        let shown = |text| {
            let opponent = Player {}.read(Some(text));
            opponent.map(|opponent| opponent.map(|opponent| opponent.to_string()))
        };
        for (text, expected) in [
            (
                "GM 2800 human Gary Kasparov",
                "the opponent is GM Gary Kasparov, a person rated 2800",
            ),
            (
                "none none computer Shredder",
                "the opponent is Shredder, a program",
            ),
            ("none none human <empty>", "the opponent is a person"),
            ("none none computer", "the opponent is a program"),
        ] {
            assert_eq!(shown(text), Ok(Some(expected.to_owned())));
        }
        assert_eq!(shown(""), Ok(None));
        for bad in ["Kasparov", "GM x human K", "GM 1 dog Rex", "GM 1"] {
            assert!(shown(bad).is_err(), "{bad}");
        }
    }
}
