//! Words in a file of games that belong to no game.
//!
//! A reader of PGN that is made for speed passes over what it does not know, and a move that
//! nobody can read would be missing without a word. So the text is looked through once more
//! before, with only so much grammar as is needed to say where such a word may stand.
//! Invariant: what passes here is read by `pgn-reader` word for word.

use shakmaty::san::SanPlus;

use super::pgn::PgnError;

/// Words that are neither moves nor numbers of moves.
const WORDS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*", "e.p."];

/// Looks for a word outside tags, comments and variations that does not belong there.
///
/// # Errors
/// The first such word, or a comment that does not end.
pub(super) fn check(text: &str) -> Result<(), PgnError> {
    let mut rest = text.trim_start_matches('\u{feff}');
    let (mut line, mut depth, mut fresh) = (1, 0_usize, true);
    while let Some(first) = rest.chars().next() {
        let to_end_of_line = rest.find('\n').unwrap_or(rest.len());
        let length = match first {
            '{' => match rest.find('}') {
                Some(end) => end + 1,
                None => return Err(PgnError::OpenComment(line)),
            },
            ';' => to_end_of_line,
            '%' if fresh => to_end_of_line,
            '[' if fresh => tags(&rest[..to_end_of_line]),
            '(' | ')' => 1,
            _ if first.is_whitespace() => first.len_utf8(),
            _ => rest.find(ends_word).unwrap_or(rest.len()).max(1),
        };
        let (token, after) = rest.split_at(length);
        match first {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '[' if fresh => depth = 0,
            '{' | ';' | '%' => {}
            _ if depth == 0 && !belongs(token.trim()) => {
                return Err(PgnError::Word(line, token.to_owned()));
            }
            _ => {}
        }
        line += token.matches('\n').count();
        fresh = match first {
            '\n' => true,
            _ => fresh && first.is_whitespace(),
        };
        rest = after;
    }
    Ok(())
}

/// The length of the tags that a line begins with.
fn tags(line: &str) -> usize {
    match line.rfind("\"]").or_else(|| line.rfind(']')) {
        Some(end) => line[end..]
            .find(']')
            .map_or(line.len(), |bracket| end + bracket + 1),
        None => line.len(),
    }
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || "{}();".contains(character)
}

/// Whether a word may stand among the moves of a game.
fn belongs(word: &str) -> bool {
    let word = word.replace(['\u{2013}', '\u{2014}'], "-");
    if word.is_empty() || WORDS.contains(&word.as_str()) {
        return true;
    }
    let (before, glyph) = word.split_once('$').unwrap_or((word.as_str(), ""));
    if !glyph.chars().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    // Castling with zeros begins like a number.
    let unnumbered = if before.starts_with("0-0") {
        before
    } else {
        let number = |c: char| c.is_ascii_digit();
        before.trim_start_matches(number).trim_start_matches('.')
    };
    let letters = match unnumbered.strip_prefix("0-0") {
        Some(end) => format!("O-O{}", end.replace("-0", "-O")),
        None => unnumbered.to_owned(),
    };
    let body = letters.trim_end_matches(['!', '?']);
    body.is_empty() || SanPlus::from_ascii(body.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_game_passes() {
        for word in [
            "e4",
            "Nf3",
            "exd5",
            "e8=Q",
            "e8=Q#",
            "O-O",
            "0-0",
            "0-0-0+",
            "O-O-O#",
            "1.",
            "12...",
            "1.e4",
            "12...Nf6?!",
            "Qxh7#!!",
            "4.0-0",
            "e4$1",
            "$255",
            "R1a3",
            "Qh4e1",
            "--",
            "Z0",
            "1-0",
            "*",
            "1/2-1/2",
            "!",
            "?!",
            "7",
        ] {
            assert!(belongs(word), "{word}");
        }
    }

    #[test]
    fn anything_else_does_not() {
        for word in [
            "Zf9", "e9", "Nf3x", "Nf3++", "resigns", "e4,", "O-O-", "e8Q", "10-0", "$x", "}", "]",
            "==",
        ] {
            assert!(!belongs(word), "{word}");
            let text = format!("[Event \"x\"]\n\n1. e4 {{fine}} e5\n; {word}\n2. {word} *");
            let found = check(&text);
            assert_eq!(found, Err(PgnError::Word(5, word.to_owned())), "{word}");
        }
    }

    #[test]
    fn comments_variations_and_tags_may_say_anything() {
        let text =
            "[Event \"[odd] \"] [Site \"x\"]\n%escaped\n1. e4 {odd (} ;odd\n (odd (odd) odd) e5";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check("1. e4\n\n{open"), Err(PgnError::OpenComment(3)));
        assert_eq!(
            check("[Broken\n1. e4 odd"),
            Err(PgnError::Word(2, "odd".to_owned()))
        );
    }
}
