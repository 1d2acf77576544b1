//! The pieces as drawings, in a square of 100 by 100.
//!
//! Six plain outlines, drawn for this program: bodies with straight or round shoulders on a
//! common foot, each known by its head alone, so that it reads at the size of a thumbnail.

use std::fmt::Write as _;

use shakmaty::{Color, Piece, Role};

/// Body of a piece.
const fn body(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            "<circle cx='50' cy='33' r='14'/>\
             <path d='M37 47h26l-5 7c0 12 9 18 11 25H31c2-7 11-13 11-25z'/>"
        }
        Role::Knight => {
            "<path d='M33 79c0-17 17-21 18-34-6 6-13 4-18 9-4 4-12 1-12-6 0-9 9-14 13-23 \
             2-5 5-6 5-14l10 8c18 1 30 17 27 60z'/>\
             <path class='detail' d='M56 29c9 6 12 16 12 28' fill='none'/>\
             <circle class='dot' cx='42' cy='31' r='2.5'/>"
        }
        Role::Bishop => {
            "<circle cx='50' cy='15' r='5.5'/>\
             <path d='M50 21c13 9 18 22 9 35H41c-9-13-4-26 9-35z'/>\
             <path d='M38 56h24v7H38z'/>\
             <path d='M42 63h16c1 8 9 9 12 16H30c3-7 11-8 12-16z'/>\
             <path class='detail' d='M50 33v14M43 40h14' fill='none'/>"
        }
        Role::Rook => {
            "<path d='M27 19h11v8h7v-8h10v8h7v-8h11v19l-8 7H35l-8-7z'/>\
             <path d='M36 45h28l3 34H33z'/>"
        }
        Role::Queen => {
            "<path d='M33 62 19 31l16 13 1-22 14 19 14-19 1 22 16-13-14 31z'/>\
             <circle cx='19' cy='28' r='5'/><circle cx='36' cy='19' r='5'/>\
             <circle cx='64' cy='19' r='5'/><circle cx='81' cy='28' r='5'/>\
             <path d='M33 62h34c-2 6 1 12 4 17H29c3-5 6-11 4-17z'/>"
        }
        Role::King => {
            "<path d='M46 10h8v6h7v8h-7v9h-8v-9h-7v-8h7z'/>\
             <path d='M50 38c8-11 31-9 30 7-1 9-10 14-13 20H33c-3-6-12-11-13-20-1-16 22-18 30-7z'/>\
             <path d='M33 65h34l3 14H30z'/>\
             <path class='detail' d='M50 38v27' fill='none'/>"
        }
    }
}

/// The foot that all of them stand on.
const FOOT: &str = "<rect x='24' y='79' width='52' height='10' rx='3'/>";

/// The name that a drawing refers to a piece by: `wN`.
pub(super) fn name(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.upper_char())
}

/// All twelve pieces, as definitions of a drawing. Light pieces have a dark outline, and dark
/// ones light details, so that either shows on any square.
pub(super) fn definitions() -> String {
    let mut text = String::from("<defs>");
    for color in Color::ALL {
        let (fill, edge, detail) = match color {
            Color::White => ("#fdfcf9", "#2b2926", "#2b2926"),
            Color::Black => ("#3a3733", "#141311", "#e9e5dc"),
        };
        for role in Role::ALL {
            let shape = body(role)
                .replace("class='detail'", &format!("stroke='{detail}'"))
                .replace("class='dot'", &format!("stroke='none' fill='{detail}'"));
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "<g id='{}' fill='{fill}' stroke='{edge}' stroke-width='3.5' \
                 stroke-linejoin='round' stroke-linecap='round'>{shape}{FOOT}</g>",
                name(role.of(color))
            );
        }
    }
    text + "</defs>"
}
