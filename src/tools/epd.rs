//! Reader of EPD files: one position a line, followed by operations.
//!
//! The format is the Extended Position Description of Hendrickson and Edwards
//! (1994): the first four fields of a FEN, then operations, each a code with
//! operands, closed by a semicolon. Read besides: the two clock fields of a full FEN,
//! a byte order mark, empty lines, comment lines that begin with `#`, and node counts (`;D1 20 ;D2 400`).
//!
//! Invariant: this file knows the grammar, not the rules of chess. Whether a position
//! is legal is for whoever sets it up to say, with [`Record::line`] to name the culprit.

use std::{error, fmt, str::FromStr};

/// One position of an EPD file with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    line: usize,
    fen: String,
    operations: Vec<Operation>,
}

/// One operation: `bm Nf3 d4` has the code `bm` and two operands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Operation {
    code: String,
    operands: Vec<String>,
}

/// A line that is not EPD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdError {
    /// Number of the line in its file, from 1.
    pub line: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    TooFewFields(usize),
    BadNumber { code: String, operand: String },
    OpenQuote,
    Empty,
}

impl Record {
    /// Number of the line in its file, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The position as a FEN of six fields. The clocks come from the operations `hmvc`
    /// and `fmvn`, else from the fields of a full FEN, else they are `0 1`.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The name of the position, or its line number where it has none.
    pub fn id(&self) -> String {
        self.operands("id")
            .and_then(<[String]>::first)
            .map_or_else(|| format!("line {}", self.line), Clone::clone)
    }

    /// The operands of the first operation called `code`; `None` where there is none.
    pub fn operands(&self, code: &str) -> Option<&[String]> {
        self.operations
            .iter()
            .find(|operation| operation.code == code)
            .map(|operation| operation.operands.as_slice())
    }

    /// The first operand of the operation `code` as a number.
    ///
    /// # Errors
    /// When the operation has no operand or one that is not a number in the range of `N`.
    pub fn number<N: FromStr>(&self, code: &str) -> Result<Option<N>, EpdError> {
        self.operands(code)
            .map(|operands| {
                let operand = operands.first().map_or("", String::as_str);
                self.parse(code, operand)
            })
            .transpose()
    }

    /// The node counts of `perft`, as pairs of depth and count (`D5 4865609`).
    ///
    /// # Errors
    /// When an operation whose code is `D` and a number has no number as its operand.
    pub fn node_counts(&self) -> Result<Vec<(u32, u64)>, EpdError> {
        self.operations
            .iter()
            .filter_map(|operation| {
                let depth = operation.code.strip_prefix('D')?.parse().ok()?;
                Some((depth, operation))
            })
            .map(|(depth, operation)| {
                let operand = operation.operands.first().map_or("", String::as_str);
                Ok((depth, self.parse(&operation.code, operand)?))
            })
            .collect()
    }

    fn parse<N: FromStr>(&self, code: &str, operand: &str) -> Result<N, EpdError> {
        operand.parse().map_err(|_| EpdError {
            line: self.line,
            problem: Problem::BadNumber {
                code: code.to_owned(),
                operand: operand.to_owned(),
            },
        })
    }

    /// Completes the FEN by its two clocks, see [`Record::fen`].
    fn set_clocks(&mut self, fields: &[&str]) -> Result<(), EpdError> {
        let field = |index: usize| fields.get(index).and_then(|text| text.parse().ok());
        let halfmoves: u32 = self.number("hmvc")?.or(field(0)).unwrap_or(0);
        let fullmoves: u32 = self.number("fmvn")?.or(field(1)).unwrap_or(1);
        self.fen = format!("{} {halfmoves} {fullmoves}", self.fen);
        Ok(())
    }
}

/// Reads a whole file.
///
/// # Errors
/// The first line that is not EPD, or that there is no position at all.
pub fn parse(text: &str) -> Result<Vec<Record>, EpdError> {
    let records: Vec<_> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| parse_line(index + 1, line))
        .collect::<Result<_, _>>()?;
    if records.is_empty() {
        return Err(EpdError {
            line: text.lines().count(),
            problem: Problem::Empty,
        });
    }
    Ok(records)
}

fn parse_line(number: usize, text: &str) -> Result<Record, EpdError> {
    let at_line = |problem| EpdError {
        line: number,
        problem,
    };
    let (mut fields, rest) = split_fields(text);
    if fields.len() < 4 {
        return Err(at_line(Problem::TooFewFields(fields.len())));
    }
    let clocks = fields.split_off(4);
    let mut record = Record {
        line: number,
        fen: fields.join(" "),
        operations: split_operations(rest).map_err(at_line)?,
    };
    record.set_clocks(&clocks)?;
    Ok(record)
}

/// The four fields of the position, and two more if they are numbers; then the rest.
fn split_fields(text: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::with_capacity(6);
    let mut rest = text;
    while fields.len() < 6 {
        let end = rest.find([' ', '\t', ';']).unwrap_or(rest.len());
        let (field, tail) = rest.split_at(end);
        let is_clock = field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_clock) {
            break;
        }
        fields.push(field);
        rest = tail.trim_start();
    }
    (fields, rest)
}

/// Splits at semicolons and blanks, but not within quotation marks.
fn split_operations(text: &str) -> Result<Vec<Operation>, Problem> {
    let mut operations = Vec::new();
    let mut words = Words::default();
    for symbol in text.chars() {
        match symbol {
            '"' => words.quote(),
            _ if words.quoted => words.push(symbol),
            ';' => operations.extend(words.take_operation()),
            _ if symbol.is_whitespace() => words.end_word(),
            _ => words.push(symbol),
        }
    }
    if words.quoted {
        return Err(Problem::OpenQuote);
    }
    operations.extend(words.take_operation());
    Ok(operations)
}

/// The words of the operation being read.
#[derive(Default)]
struct Words {
    done: Vec<String>,
    current: Option<String>,
    quoted: bool,
}

impl Words {
    fn push(&mut self, symbol: char) {
        self.current.get_or_insert_default().push(symbol);
    }

    /// Opens or closes a quotation; an empty one is a word, too.
    fn quote(&mut self) {
        self.quoted = !self.quoted;
        self.current.get_or_insert_default();
    }

    fn end_word(&mut self) {
        self.done.extend(self.current.take());
    }

    /// The operation made of the words so far; `None` if there are none.
    fn take_operation(&mut self) -> Option<Operation> {
        self.end_word();
        let mut words = std::mem::take(&mut self.done).into_iter();
        let code = words.next()?;
        Some(Operation {
            code,
            operands: words.collect(),
        })
    }
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::TooFewFields(count) => {
                write!(f, "a position has four fields, this one {count}")
            }
            Problem::BadNumber { code, operand } => {
                write!(f, "{code}: \"{operand}\" is not a number it can take")
            }
            Problem::OpenQuote => write!(f, "a quotation is not closed"),
            Problem::Empty => write!(f, "the end, and no position before it"),
        }
    }
}

impl error::Error for EpdError {}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn only(text: &str) -> Record {
        let mut records = parse(text).unwrap();
        assert_eq!(records.len(), 1, "{text}");
        records.remove(0)
    }

    #[test]
    fn operations_are_split_at_semicolons_outside_quotes() {
        let record = only(&format!("{START} bm Nf3 d4; id \"a; b\"; c0 \"\"; ce -3;"));
        assert_eq!(record.operands("bm").unwrap(), ["Nf3", "d4"]);
        assert_eq!(record.id(), "a; b");
        assert_eq!(record.operands("c0").unwrap(), [""]);
        assert_eq!(record.number("ce"), Ok(Some(-3)));
        assert_eq!(record.number::<i32>("dm"), Ok(None));
    }

    #[test]
    fn clocks_come_from_operations_then_from_fields() {
        assert!(only(START).fen().ends_with("- 0 1"));
        assert!(
            only(&format!("{START} 7 9 ;D1 20"))
                .fen()
                .ends_with("- 7 9")
        );
        let record = only(&format!("{START} 7 9 hmvc 98; fmvn 80;"));
        assert!(record.fen().ends_with("- 98 80"));
    }

    #[test]
    fn node_counts_with_and_without_blanks() {
        let record = only(&format!("{START} 0 1 ;D1 20 ;D2 400;D3 8902"));
        assert_eq!(record.node_counts(), Ok(vec![(1, 20), (2, 400), (3, 8902)]));
    }

    #[test]
    fn comments_and_empty_lines_count_as_lines_only() {
        let text = format!("# a comment\r\n\r\n{START}\r\n");
        assert_eq!(only(&text).id(), "line 3");
        assert!(only(&format!("\u{feff}{START}")).fen().starts_with("rnbq"));
    }

    #[test]
    fn the_culprit_is_named() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("# nothing\n\n"),
            "line 2: the end, and no position before it"
        );
        assert_eq!(
            message("# x\n8/8 w"),
            "line 2: a position has four fields, this one 2"
        );
        assert!(message(&format!("{START} id \"open")).contains("quotation"));
        assert!(message(&format!("{START} hmvc many;")).contains("hmvc: \"many\""));
        let record = only(&format!("{START} D2 -1; dm;"));
        assert!(record.node_counts().is_err());
        assert!(record.number::<i32>("dm").is_err());
    }
}
