//! The analysis as one page to look at, step through and keep (HTML).
//!
//! Everything is in the one file: pieces, styles, script and data. It asks nothing of the
//! network, and its security policy forbids it to. The list of moves, the figures and the
//! graphs are there without the script; the board needs it. Invariant: whatever came from
//! the game is text on the page, never part of it.

use std::fmt::Write as _;

use shakmaty::{Color, Position as _};

use super::{
    Analysis, graph,
    judge::{Judgement, Mark},
    notation::Value,
    pgn::Sheet,
    pieces, scene,
};

/// The page about these games; `how` says how long each position was searched.
///
/// # Errors
/// Never for anything that was read from a file; the signature is the serialiser's.
pub fn page(analyses: &[Analysis], how: &str) -> serde_json::Result<String> {
    let scenes: Vec<_> = analyses.iter().map(scene::scenes).collect();
    // In this form the data holds nothing that could end the element it stands in.
    let data = serde_json::to_string(&scenes)?.replace('<', "\\u003c");
    let games = (1..).zip(analyses);
    let articles: String = games.map(|(number, game)| article(number, game)).collect();
    Ok(format!(
        include_str!("report.html"),
        title = escaped(&title(analyses)),
        style = include_str!("report.css"),
        pieces = pieces::definitions(),
        choice = choice(analyses),
        articles = articles,
        version = env!("CARGO_PKG_VERSION"),
        how = escaped(how),
        data = data,
        script = include_str!("report.js"),
    ))
}

/// `text` with nothing in it that HTML would take for itself.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn versus(sheet: &Sheet) -> String {
    sheet.players().join(" \u{2013} ")
}

fn title(analyses: &[Analysis]) -> String {
    match analyses {
        [game] => versus(&game.sheet),
        games => format!("{} games", games.len()),
    }
}

/// A list to choose a game from, where there are several.
fn choice(analyses: &[Analysis]) -> String {
    if analyses.len() < 2 {
        return String::new();
    }
    let mut text = String::from("<label class='choice'>Game <select id='choice'>");
    for (index, game) in analyses.iter().enumerate() {
        let (players, result) = (escaped(&versus(&game.sheet)), escaped(&game.sheet.result()));
        // Writing to a string does not fail, here and below.
        let _ = write!(
            text,
            "<option value='{index}'>{}. {players}, {result}</option>",
            index + 1
        );
    }
    text + "</select></label>"
}

/// Where and when it was played, as far as that is known.
fn occasion(sheet: &Sheet) -> String {
    let tags = ["Event", "Site", "Round", "Date", "Opening"];
    let known = tags.into_iter().filter_map(|tag| {
        // A date of which only the year is known ends in question marks.
        let value = escaped(sheet.tag(tag)?.trim_end_matches(".??"));
        Some(if tag == "Round" {
            format!("round {value}")
        } else {
            value
        })
    });
    known.collect::<Vec<_>>().join(" \u{b7} ")
}

/// One game.
fn article(number: usize, analysis: &Analysis) -> String {
    let sheet = &analysis.sheet;
    format!(
        include_str!("game.html"),
        number = number,
        players = escaped(&versus(sheet)),
        result = escaped(&sheet.result()),
        occasion = occasion(sheet),
        figures = figures(analysis),
        moves = moves(analysis),
        last = sheet.plies.len(),
        chances = graph::chances(analysis),
        evaluations = graph::evaluations(analysis),
    )
}

/// How both sides played, as rows of a table.
fn figures(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (color, name) in Color::ALL.into_iter().zip(analysis.sheet.players()) {
        let summary = analysis.summary(color);
        let elo = color.fold_wb("WhiteElo", "BlackElo");
        let elo = analysis.sheet.tag(elo).map_or_else(String::new, |elo| {
            format!(" <small>{}</small>", escaped(elo))
        });
        let _ = write!(
            text,
            "<tr><th scope='row'><i class='{}'></i>{}{elo}</th><td><b>{:.1}</b>&nbsp;%</td>\
             <td>{:.0}</td>",
            color.fold_wb("light", "dark"),
            escaped(name),
            summary.accuracy,
            summary.centipawns
        );
        for (mark, count) in Mark::ALL.into_iter().zip(summary.marks) {
            let class = if count > 0 { mark.word() } else { "none" };
            let _ = write!(text, "<td class='{class}'>{count}</td>");
        }
        text += "</tr>";
    }
    text
}

/// The list of moves, as rows of a table.
fn moves(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (ply, half) in analysis.sheet.plies.iter().enumerate() {
        let (before, after) = (&analysis.stations[ply].chess, &analysis.stations[ply + 1]);
        let (white, number) = (before.turn() == Color::White, before.fullmoves());
        if white || ply == 0 {
            let _ = write!(text, "<tr><th scope='row'>{number}</th>");
        }
        if !white && ply == 0 {
            text += "<td>\u{2026}</td>";
        }
        let mark = analysis.judgement(ply).as_ref().and_then(Judgement::mark);
        let _ = write!(
            text,
            "<td><button type='button' data-ply='{}' class='{}'>{}<b>{}</b><small>{}</small></button></td>",
            ply + 1,
            mark.map_or("", Mark::word),
            super::notation::san(before, half.mv),
            mark.map_or("", Mark::sign),
            Value::new(after.verdict.score, after.chess.turn())
        );
        if !white {
            text += "</tr>";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analyse::pgn, engine::Engine, time::Limits, types::Depth};

    fn page_of(text: &str) -> String {
        let limits = Limits {
            depth: Some(Depth::new(2)),
            ..Limits::default()
        };
        let mut engine = Engine::new();
        let games = pgn::read(text.as_bytes()).unwrap().into_iter();
        let analyses: Vec<_> = games
            .map(|sheet| Analysis::new(&mut engine, sheet, &limits, || ()))
            .collect();
        page(&analyses, "2 plies").unwrap()
    }

    #[test]
    fn every_move_can_be_chosen_and_every_game() {
        let html = page_of("1. e4 e5 2. Nf3 *\n\n[White \"B\"]\n\n1. d4 *\n");
        assert_eq!(html.matches("<button type='button' data-ply=").count(), 4);
        assert_eq!(html.matches("<article").count(), 2);
        assert_eq!(html.matches("<option").count(), 2);
        assert!(html.contains("2. B \u{2013} Black, *</option>"));
        assert!(html.contains("2 plies"));
    }

    #[test]
    fn nothing_from_the_game_becomes_part_of_the_page() {
        let evil = "</script><script>alert(1)</script>{how}";
        let html = page_of(
            &format!(
                "[White \"{evil}\"]\n[Event \"{evil}\"]\n[WhiteElo \"{evil}\"]\n\n1. e4 {{{evil}\n"
            )
            .replace("{how}\n", "} *"),
        );
        assert_eq!(html.matches("<script").count(), 2, "the data and our own");
        assert!(html.contains("&lt;script&gt;alert(1)"));
        assert!(!html.contains("alert(1)</script>"));
    }

    #[test]
    fn a_game_of_black_to_move_and_one_without_moves_are_shown() {
        let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n";
        let html = page_of(&format!("{fen}40... Kd7 *"));
        assert!(html.contains("<tr><th scope='row'>40</th><td>\u{2026}</td><td><button"));
        assert!(page_of(&format!("{fen}*")).contains("<article"));
    }
}
