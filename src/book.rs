//! Opening books in the format of Polyglot (Fabien Letouzey, 2004).
//!
//! A book is a sorted list of entries of 16 bytes: the key of a position by the published
//! scheme (which is also that of `shakmaty`), a move, a weight and a word that nobody uses,
//! with the highest byte first. The file is mapped into memory and searched by halving, so a file
//! that is not sorted is refused.
//! Invariant: whatever the bytes are, only legal moves come out.

use std::{
    cmp::Reverse,
    fs::{self, File},
    io,
    path::Path,
};

use memmap2::Mmap;
use rand::Rng;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square, zobrist::Zobrist64};

use crate::types::{Quoted, convert};

/// Bytes of an entry.
pub const ENTRY: usize = 16;
/// The roles a pawn may become, by their number in a move.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// One move of the book in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Key of the position.
    pub key: u64,
    /// The move, as [`pack`] writes it.
    pub mv: u16,
    /// How often it should be played in comparison with the others; 0 means never.
    pub weight: u16,
}

impl Entry {
    /// The entry as it stands in the file.
    pub fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; ENTRY]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = bytes;
        Self {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            mv: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }
}

/// The key of a position; its en passant square counts only if a pawn stands ready.
pub fn key(position: &Chess) -> u64 {
    position
        .zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal)
        .0
}

/// A move in the book's sixteen bits: squares of arrival and departure, promotion;
/// castling as king takes rook.
pub fn pack(mv: Move) -> u16 {
    let square = |square: Square| u16::from(u8::from(square));
    let promotion = mv.promotion().map_or(0, |role| {
        let number = PROMOTIONS.iter().position(|&other| other == role);
        number.map_or(0, |number| convert::low_u16(convert::wide(number + 1)))
    });
    let from = mv.from().map_or(0, square);
    square(mv.to()) | from << 6 | promotion << 12
}

/// An open book.
#[derive(Debug)]
pub struct Book(Mmap);

impl Book {
    /// Opens the book in a file.
    ///
    /// # Errors
    /// When it cannot be read or is no book; says why.
    pub fn open(path: &Path) -> Result<Self, String> {
        let shown = path.to_string_lossy();
        let named = |reason: String| format!("{}: {reason}", Quoted(&shown));
        let map = map(path).map_err(|error| named(error.to_string()))?;
        let fault = fault(&map).map(|fault| format!("not a book: {fault}"));
        fault.map_or(Ok(Self(map)), |fault| Err(named(fault)))
    }

    fn entries(&self) -> &[[u8; ENTRY]] {
        self.0.as_chunks().0
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there is no entry; an open book has one.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// The legal moves of the book in `position` with their weights, the heaviest first.
    pub fn moves(&self, position: &Chess) -> Vec<(Move, u16)> {
        let key = key(position);
        let entries = self.entries();
        let first = entries.partition_point(|bytes| key_of(bytes) < key);
        let here = entries[first..]
            .iter()
            .map(|bytes| Entry::from_bytes(*bytes));
        let here: Vec<Entry> = here.take_while(|entry| entry.key == key).collect();
        let weight = |&mv: &Move| {
            let packed = pack(mv);
            let entry = here.iter().find(|entry| entry.mv == packed)?;
            (entry.weight > 0).then_some((mv, entry.weight))
        };
        let mut moves: Vec<_> = position.legal_moves().iter().filter_map(weight).collect();
        moves.sort_by_key(|&(_, weight)| Reverse(weight));
        moves
    }

    /// A move of the book: with a `variety` of 0 the heaviest, with 100 each as often as its
    /// weight says, and between them the rarer the lighter.
    pub fn choose(&self, position: &Chess, variety: u8, rng: &mut impl Rng) -> Option<Move> {
        let moves = self.moves(position);
        let &(best, heaviest) = moves.first()?;
        if variety == 0 {
            return Some(best);
        }
        let share = |weight: u16| {
            let share = f64::from(weight) / f64::from(heaviest);
            share.powf(100.0 / f64::from(variety))
        };
        let total: f64 = moves.iter().map(|&(_, weight)| share(weight)).sum();
        let mut left = rng.random::<f64>() * total;
        let chosen = moves.iter().find(|&&(_, weight)| {
            left -= share(weight);
            left < 0.0
        });
        Some(chosen.map_or(best, |&(mv, _)| mv))
    }
}

fn key_of(entry: &[u8; ENTRY]) -> u64 {
    Entry::from_bytes(*entry).key
}

/// What tells that the bytes are no book. A look at every key is the only proof of their order;
/// it costs no more than reading the file.
fn fault(bytes: &[u8]) -> Option<String> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    let is_descent = |pair: &[[u8; ENTRY]]| key_of(&pair[0]) > key_of(&pair[1]);
    if bytes.is_empty() {
        Some("it is empty".to_owned())
    } else if !rest.is_empty() {
        let size = bytes.len();
        Some(format!("its {size} bytes are no whole entries of {ENTRY}"))
    } else {
        let unsorted = entries.windows(2).position(is_descent)?;
        Some(format!(
            "the key of entry {} is less than the one before",
            unsorted + 2
        ))
    }
}

#[expect(unsafe_code, reason = "a memory map is shared with the system")]
fn map(path: &Path) -> io::Result<Mmap> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not an ordinary file"));
    }
    let file = File::open(path)?;
    // SAFETY: The map is read only. Another program that changed the file while it is in
    // use would change bytes under our eyes; every entry is copied before it is looked at,
    // and any bytes at all make an entry.
    unsafe { Mmap::map(&file) }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::SmallRng};
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    /// The keys that Polyglot's documentation gives.
    #[test]
    fn keys_are_those_of_the_published_scheme() {
        for (fen, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0x463b_9618_1691_fc9c,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            (
                "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
                0x5c3f_9b82_9b27_9560,
            ),
        ] {
            assert_eq!(key(&position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn entries_survive_the_round_trip_and_moves_differ() {
        let entry = Entry {
            key: 0x0102_0304_0506_0708,
            mv: 0x1234,
            weight: 0xfffe,
        };
        let bytes = entry.to_bytes();
        assert_eq!(bytes[..4], [1, 2, 3, 4]);
        assert_eq!(Entry::from_bytes(bytes), entry);
        let promotion = position("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
        let mut packed: Vec<u16> = promotion.legal_moves().into_iter().map(pack).collect();
        let castling = (4 << 6) | 7;
        assert!(packed.contains(&castling));
        packed.sort_unstable();
        packed.dedup();
        assert_eq!(packed.len(), promotion.legal_moves().len());
    }

    /// A book of the start position: e2e4 with weight 3, d2d4 with 1, and nonsense.
    fn book(name: &str) -> Book {
        let start = Chess::default();
        let square = |square: Square| u16::from(u8::from(square));
        let mv = |from: Square, to: Square| square(to) | square(from) << 6;
        let entry = |mv, weight| Entry {
            key: key(&start),
            mv,
            weight,
        };
        let other = Entry {
            key: 5,
            mv: 1,
            weight: 1,
        };
        let entries = [
            other,
            entry(mv(Square::E2, Square::E5), 9),
            entry(mv(Square::D2, Square::D4), 1),
            entry(mv(Square::E2, Square::E4), 3),
            entry(mv(Square::A2, Square::A4), 0),
        ];
        let path = std::env::temp_dir().join(format!("arborist-{name}-{}", std::process::id()));
        let bytes: Vec<u8> = entries.into_iter().flat_map(Entry::to_bytes).collect();
        std::fs::write(&path, bytes).unwrap();
        let book = Book::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        book
    }

    #[test]
    fn only_legal_moves_with_a_weight_come_out() {
        let book = book("legal");
        let moves = book.moves(&Chess::default());
        let weights: Vec<u16> = moves.iter().map(|&(_, weight)| weight).collect();
        assert_eq!(weights, [3, 1]);
        let elsewhere = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(book.moves(&elsewhere), []);
    }

    #[test]
    fn variety_follows_the_weights() {
        let book = book("variety");
        let start = Chess::default();
        let mut rng = SmallRng::seed_from_u64(1);
        let mut light = |variety| {
            let drawn = (0..4000).map(|_| book.choose(&start, variety, &mut rng));
            let to = drawn.map(|mv| mv.map(Move::to));
            to.filter(|&to| to == Some(Square::D4)).count()
        };
        assert_eq!(light(0), 0);
        assert!((850..1150).contains(&light(100)));
        // Squared weights: one in ten.
        assert!((320..480).contains(&light(50)));
    }
}
