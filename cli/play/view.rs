//! How the table is shown: the board, the moves, and a line of words.

use crate::play::KEYS;
use crate::play::session::Session;
use crate::play::state::PlayState;
use ansi_to_tui::IntoText;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};
use unstuck::instance::Instance;
use unstuck::questions::diagnose::MoveClass;
use unstuck_puzzles::sketch;

/// Lines for the moves.
const MOVE_LINES: u16 = 3;

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, session: &mut Session, instance: &dyn Instance) {
    let parts = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(MOVE_LINES),
        Constraint::Length(1),
        Constraint::Length(2),
        Constraint::Length(1),
    ]);
    let [head, board, moves, state, words, keys] = parts.areas(frame.area());
    let reading = instance.reading();
    let reading = if reading.is_empty() { String::new() } else { format!(" [{reading}]") };
    let title = format!("{} · {}{reading}", session.title, instance.family());
    frame.render_widget(Line::from(title).style(Modifier::BOLD), head);
    frame.render_widget(Line::from(session.main_keys()).style(Modifier::DIM), keys);
    if session.shows_keys {
        let shown = Rect { height: keys.y.saturating_sub(board.y), ..board };
        frame.render_widget(Text::raw(format!("{KEYS}\n\nAny key goes back.")), shown);
        return;
    }
    draw_board(frame, session, instance, board);
    draw_moves(frame, session, moves);
    frame.render_widget(Line::from(state_of(session)), state);
    let message = Paragraph::new(session.message.as_str()).wrap(Wrap { trim: true });
    frame.render_widget(message, words);
}

fn state_of(session: &Session) -> String {
    let solved = if session.solved { " · SOLVED" } else { "" };
    let waiting = if session.waiting.is_some() { " · thinking" } else { "" };
    format!("{}{solved}{waiting}", session.table.progress())
}

fn draw_board(frame: &mut Frame<'_>, session: &Session, instance: &dyn Instance, area: Rect) {
    let picture = session.table.picture(session.style);
    let text = picture.into_text().unwrap_or_else(|_| Text::raw(picture.clone()));
    let focus = session.table.focus(instance, session.style);
    // What does not fit is scrolled, so that the player stays in sight.
    let scroll = |at: Option<usize>, room: u16, whole: usize| -> usize {
        let room = usize::from(room);
        let at = at.unwrap_or_default();
        if whole <= room { 0 } else { at.saturating_sub(room / 2).min(whole - room) }
    };
    let down = scroll(focus.map(|it| it.line), area.height, text.height());
    let right = scroll(focus.map(|it| it.column), area.width, text.width());
    frame.render_widget(Paragraph::new(text).scroll((down as u16, right as u16)), area);
    let mut mark = |spot: sketch::Span, style: Style| {
        let (Some(line), Some(column)) =
            (spot.line.checked_sub(down), spot.column.checked_sub(right))
        else {
            return;
        };
        let place = Rect {
            x: area.x.saturating_add(column as u16),
            y: area.y.saturating_add(line as u16),
            width: spot.width as u16,
            height: 1,
        };
        frame.buffer_mut().set_style(place.intersection(area), style);
    };
    for spot in session.pointed(instance) {
        mark(spot, Style::new().bg(Color::Yellow).fg(Color::Black).add_modifier(Modifier::BOLD));
    }
    if let (PlayState::Drawing(_), Some(spot)) = (&session.table, focus) {
        mark(spot, Style::new().add_modifier(Modifier::REVERSED));
    }
}

/// The last moves that fit, each as what it did.
fn draw_moves(frame: &mut Frame<'_>, session: &Session, area: Rect) {
    let moves = session.moves();
    let room = usize::from(area.width) * usize::from(area.height);
    let letters: usize = moves.iter().map(|(text, _)| text.chars().count()).sum();
    let mut hidden = letters.saturating_sub(room);
    let shown = moves.iter().filter(|(text, _)| {
        let out = hidden > 0;
        hidden = hidden.saturating_sub(text.chars().count());
        !out
    });
    let spans: Vec<(char, Style)> = shown
        .flat_map(|(text, class)| text.chars().map(|letter| (letter, style_of(*class))))
        .collect();
    let line = |line: &[(char, Style)]| -> Line<'static> {
        line.iter().map(|&(letter, style)| Span::styled(letter.to_string(), style)).collect()
    };
    let lines: Vec<Line<'_>> = spans.chunks(usize::from(area.width).max(1)).map(line).collect();
    frame.render_widget(Text::from(lines), area);
}

/// Distinguished without colours, too: costly moves are underlined, the fatal one is reversed.
fn style_of(class: Option<MoveClass>) -> Style {
    match class {
        None => Style::new(),
        Some(MoveClass::Free) => Style::new().fg(Color::Green),
        Some(MoveClass::Costly) => {
            Style::new().fg(Color::Yellow).add_modifier(Modifier::UNDERLINED)
        }
        Some(MoveClass::Fatal) => Style::new().fg(Color::Red).add_modifier(Modifier::REVERSED),
    }
}
