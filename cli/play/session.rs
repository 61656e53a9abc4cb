//! What a person does with the keys, and what is shown for it.

use crate::play::hint_worker::{Guidance, HintRequest, HintResponse};
use crate::play::state::{DrawAction, PlayState, StepError};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unstuck::instance::Instance;
use unstuck::questions::diagnose::MoveClass;
use unstuck::questions::forced::{DeducedFact, DeductionMethod};
use unstuck::questions::hint::{HintLevel, places};
use unstuck::report::sentences;
use unstuck_puzzles::Style;
use unstuck_puzzles::sketch::{Arrow, Span};

/// What a key does beyond the game itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyAction {
    /// Nothing.
    Nothing,
    /// To save the game.
    Save,
    /// To leave.
    Leave,
    /// To go to the next level.
    Next,
    /// To go to the level before.
    Previous,
}

/// A play session: the level, the player's moves, and hints.
pub(super) struct Session {
    pub title: String,
    pub table: PlayState,
    pub style: Style,
    pub message: String,
    /// Whether there are more levels after this one.
    is_followed: bool,
    /// Whether the keys are shown in place of the board.
    pub shows_keys: bool,
    /// Whether the puzzle is solved: what the judge said.
    pub solved: bool,
    /// How much help is wanted here.
    degree: Option<HintLevel>,
    /// What is known of the way from here.
    way: Option<Guidance>,
    /// Steps of a solution that are to be made as soon as it is known.
    steps: usize,
    /// Whether moves are coloured.
    colours: bool,
    /// What was found of the moves of a game.
    classes: (String, Vec<Option<MoveClass>>),
    /// What was asked and is not answered yet.
    pub waiting: Option<HintRequest>,
    questions: Vec<HintRequest>,
}

/// That there is no solution, and what helps, if anything does.
fn lost(table: &PlayState) -> String {
    match table.text().as_str() {
        "" => "it cannot be solved".to_owned(),
        _ => "it cannot be solved any more: undo some moves".to_owned(),
    }
}

impl Session {
    pub(super) fn new(title: String, table: PlayState, style: Style, is_followed: bool) -> Self {
        Self {
            title,
            table,
            style,
            message: String::new(),
            is_followed,
            shows_keys: false,
            solved: false,
            degree: None,
            way: None,
            steps: 0,
            colours: false,
            classes: (String::new(), Vec::new()),
            waiting: None,
            questions: Vec::new(),
        }
    }

    /// The keys that matter most here.
    pub(super) fn main_keys(&self) -> String {
        let (first, others) = match self.table {
            PlayState::Game(_) => ("", "  r restart  c colours"),
            PlayState::Drawing(_) => ("Space pen  x rub out  ", ""),
        };
        let next = if self.is_followed { "  ] next level" } else { "" };
        format!("{first}h hint  n step  u undo{others}{next}  ? keys  q leave")
    }

    /// The next question to the adviser.
    pub(super) fn asks(&mut self) -> Option<HintRequest> {
        let asked = self.questions.pop();
        if let Some(asked) = &asked {
            self.waiting = Some(asked.clone());
        }
        asked
    }

    /// A key.
    pub(super) fn press(&mut self, instance: &dyn Instance, key: KeyEvent) -> KeyAction {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = match key.code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            other => other,
        };
        let showed_keys = std::mem::take(&mut self.shows_keys);
        match code {
            KeyCode::Char('?') => self.shows_keys = !showed_keys,
            KeyCode::Esc if showed_keys => {}
            KeyCode::Char('c' | 'q' | 'd') if ctrl => return KeyAction::Leave,
            KeyCode::Char('s') if ctrl => return KeyAction::Save,
            KeyCode::Char(_) if ctrl => {}
            KeyCode::Char('q') | KeyCode::Esc => return KeyAction::Leave,
            KeyCode::Char(']') | KeyCode::PageDown => return KeyAction::Next,
            KeyCode::Char('[') | KeyCode::PageUp => return KeyAction::Previous,
            KeyCode::Up | KeyCode::Char('w') => self.go(instance, Arrow::Up),
            KeyCode::Down | KeyCode::Char('s') => self.go(instance, Arrow::Down),
            KeyCode::Left | KeyCode::Char('a') => self.go(instance, Arrow::Left),
            KeyCode::Right | KeyCode::Char('d') => self.go(instance, Arrow::Right),
            KeyCode::Char('u' | 'z') | KeyCode::Backspace => {
                let done = self.table.undo();
                self.changed(instance, done.then_some("").ok_or("nothing to undo"));
            }
            KeyCode::Char('y') => {
                let done = self.table.redo();
                self.changed(instance, done.then_some("").ok_or("nothing to redo"));
            }
            KeyCode::Char('r') => {
                self.table.restart();
                self.changed(instance, Ok("restarted: y redoes moves"));
            }
            KeyCode::Char('h') => self.help(),
            KeyCode::Char('n') => {
                self.steps += 1;
                self.walk_on(instance);
            }
            KeyCode::Char('c') => {
                self.colours = !self.colours;
                self.look_back();
            }
            KeyCode::Char(' ') | KeyCode::Enter => self.draw(instance, DrawAction::Pen),
            KeyCode::Char('x') => self.draw(instance, DrawAction::Rub),
            KeyCode::Tab => self.draw(instance, DrawAction::Skip),
            KeyCode::Char(digit @ '1'..='9') => {
                self.draw(instance, DrawAction::Way(digit as usize - '1' as usize));
            }
            _ => {}
        }
        KeyAction::Nothing
    }

    fn go(&mut self, instance: &dyn Instance, towards: Arrow) {
        let went = self.table.go(towards);
        self.stepped(instance, went);
    }

    fn draw(&mut self, instance: &dyn Instance, what: DrawAction) {
        let drew = self.table.draw(what);
        self.stepped(instance, drew);
    }

    fn stepped(&mut self, instance: &dyn Instance, step: Result<(), StepError>) {
        match step {
            Ok(()) => self.changed(instance, Ok("")),
            Err(error) => self.changed(instance, Err(&error.to_string())),
        }
    }

    /// What follows from a change of the table, or from one that was not possible.
    fn changed(&mut self, instance: &dyn Instance, outcome: Result<&str, &str>) {
        self.message = outcome.unwrap_or_else(|refused| refused).to_owned();
        if outcome.is_err() {
            return;
        }
        self.steps = 0;
        self.degree = None;
        if matches!(self.table, PlayState::Game(_)) {
            self.way = None;
        }
        self.look(instance);
    }

    /// Asks the judge, and the adviser where colours are wanted.
    fn look(&mut self, instance: &dyn Instance) {
        self.solved = instance.verify(&self.table.text()).is_ok();
        if self.solved {
            let next = if self.is_followed { ": ] is the next level" } else { "" };
            self.message = format!("solved{next}");
        }
        self.look_back();
    }

    fn hint(&self) -> HintRequest {
        match &self.table {
            PlayState::Game(game) => HintRequest::Hint(self.table.text(), game.last_push()),
            PlayState::Drawing(_) => HintRequest::Hint(String::new(), None),
        }
    }

    /// More help than before.
    fn help(&mut self) {
        self.degree = Some(match self.degree {
            None => HintLevel::Solvable,
            Some(HintLevel::Solvable) => HintLevel::Piece,
            Some(HintLevel::Piece) => HintLevel::Move,
            Some(HintLevel::Move | HintLevel::Plan) => HintLevel::Plan,
        });
        self.ask_for_way();
        self.show_hint();
    }

    fn ask_for_way(&mut self) {
        let hint = self.hint();
        let is_known = self.way.as_ref().is_some_and(|way| !way.is_partial);
        if !is_known && self.waiting.as_ref() != Some(&hint) {
            self.questions.push(hint);
        }
    }

    /// Steps of a solution, as many as were asked for.
    fn walk_on(&mut self, instance: &dyn Instance) {
        self.ask_for_way();
        let Some(way) = self.way.as_mut().filter(|way| !way.is_partial) else {
            self.message = "looking for a solution from here".to_owned();
            return;
        };
        let mut made = false;
        while self.steps > 0 {
            self.steps -= 1;
            if !self.table.approach(&way.whole) {
                self.steps = 0;
                break;
            }
            made = true;
            if matches!(self.table, PlayState::Game(_)) {
                way.whole.remove(0);
                let walked = !way.first.is_empty();
                way.first.drain(..usize::from(walked));
            }
        }
        self.message = match (made, way.solvable) {
            (true, _) => String::new(),
            (false, Some(false)) => lost(&self.table),
            (false, None) => "no solution found in time".to_owned(),
            (false, Some(true)) => "nothing is left to do".to_owned(),
        };
        if made {
            self.degree = None;
            // What is left of the way leads to the end still; which push is next is not shown.
            way.next = way.next.take().filter(|_| !way.first.is_empty());
            if way.next.is_none() && matches!(self.table, PlayState::Game(_)) {
                way.rest = None;
            }
            self.look(instance);
        }
    }

    /// Asks what the moves did, where that is wanted and not known.
    fn look_back(&mut self) {
        if !self.colours || !matches!(self.table, PlayState::Game(_)) {
            return;
        }
        let asked = HintRequest::Diagnosis(self.table.text());
        if self.classes.0 != self.table.text() && self.waiting.as_ref() != Some(&asked) {
            self.questions.push(asked);
        }
    }

    /// Answers of the adviser.
    pub(super) fn receive(
        &mut self,
        instance: &dyn Instance,
        responses: Vec<(HintRequest, HintResponse)>,
    ) {
        for (asked, responses) in responses {
            let awaited = self.waiting.as_ref() == Some(&asked);
            let is_partial = matches!(&responses, HintResponse::Way(way) if way.is_partial);
            if awaited && !is_partial {
                self.waiting = None;
            }
            match (asked, responses) {
                (asked @ HintRequest::Hint(..), HintResponse::Way(way)) if asked == self.hint() => {
                    // One that was given up for another question is asked again when needed.
                    if way.solvable.is_none() && !awaited {
                        continue;
                    }
                    self.way = Some(*way);
                    if self.steps > 0 {
                        self.walk_on(instance);
                    } else {
                        self.show_hint();
                    }
                }
                (HintRequest::Diagnosis(moves), HintResponse::Classes(classes)) => {
                    self.classes = (moves, classes);
                }
                _ => {}
            }
        }
    }

    /// As much of the way as is wanted, in words.
    fn show_hint(&mut self) {
        let Some(degree) = self.degree else { return };
        let Some(way) = &self.way else {
            self.message = "thinking".to_owned();
            return;
        };
        if way.deduced.is_some() {
            self.message = self.deduction(way, degree);
            return;
        }
        self.message = match (way.solvable, degree) {
            (Some(true), HintLevel::Plan) if way.is_partial => "thinking".to_owned(),
            (None, _) => "no time to find out whether it can be solved from here".to_owned(),
            (Some(false), _) => lost(&self.table),
            (Some(true), HintLevel::Solvable) => "it can be solved from here".to_owned(),
            (Some(true), HintLevel::Piece) => match &way.next {
                Some((_, piece)) => format!("next: {piece}"),
                None => "walk on".to_owned(),
            },
            (Some(true), HintLevel::Move) => {
                let action = way.next.as_ref().map(|(action, _)| format!(" ({action})"));
                format!("moves: {}{}", way.first.concat(), action.unwrap_or_default())
            }
            (Some(true), HintLevel::Plan) => {
                let rest = way.rest.as_ref().map(|rest| format!(" ({rest})"));
                format!("to the end: {}{}", way.whole.concat(), rest.unwrap_or_default())
            }
        };
    }

    /// The first deduction that is not drawn yet, or is drawn wrong.
    fn next_deduced<'a>(&self, way: &'a Guidance) -> Option<&'a DeducedFact> {
        let PlayState::Drawing(drawing) = &self.table else { return None };
        let drawn = |step: &DeducedFact| {
            cells(&step.name).is_some_and(|(one, other)| drawing.sketch().joins(one, other))
        };
        let steps = &way.deduced.as_ref()?.steps;
        let wrong = steps.iter().find(|step| !step.value && drawn(step));
        wrong.or_else(|| steps.iter().find(|step| step.value && !drawn(step)))
    }

    fn deduction(&self, way: &Guidance, degree: HintLevel) -> String {
        let next = self.next_deduced(way);
        match (way.solvable, next) {
            (Some(false), _) => "the board has no solution".to_owned(),
            (None, _) => "no time to find out whether there is a solution".to_owned(),
            (_, Some(step)) if !step.value && degree == HintLevel::Solvable => {
                "part of the drawing is in no solution".to_owned()
            }
            (_, Some(_)) if degree == HintLevel::Solvable => {
                "nothing drawn so far is wrong".to_owned()
            }
            (_, Some(step)) if degree == HintLevel::Piece => match cells(&step.name) {
                Some((one, _)) => format!("look at {}", sentences::cell_for_people(one)),
                None => sentences::fact(&step.name),
            },
            (_, Some(step)) => {
                let how = match step.how {
                    DeductionMethod::Direct => "one rule says it",
                    DeductionMethod::Contradiction => "else there is a contradiction",
                    DeductionMethod::Search => "else there is no solution",
                };
                let rules = step.rules.join(", ");
                let not = if step.value { "" } else { "not " };
                format!("{not}{}: {how} {rules}", sentences::fact(&step.name))
            }
            (_, None) => "all forced cells are drawn: n continues with a solution".to_owned(),
        }
    }

    /// Places on the picture that a hint points at.
    pub(super) fn pointed(&self, instance: &dyn Instance) -> Vec<Span> {
        let (Some(degree), Some(way)) = (self.degree, &self.way) else { return Vec::new() };
        if degree < HintLevel::Piece {
            return Vec::new();
        }
        match &self.table {
            PlayState::Game(_) => {
                let piece = way.next.as_ref().map_or("", |(_, piece)| piece);
                let places = places(piece).into_iter();
                places.map(|place| instance.span(place, self.style)).collect()
            }
            PlayState::Drawing(drawing) => {
                let step = self.next_deduced(way);
                let Some((one, other)) = step.and_then(|step| cells(&step.name)) else {
                    return Vec::new();
                };
                let named = if degree == HintLevel::Piece { vec![one] } else { vec![one, other] };
                let spots = named.into_iter();
                spots.filter_map(|name| drawing.sketch().span(name, self.style)).collect()
            }
        }
    }

    /// The moves of a game with what each did, as far as that is known and wanted.
    pub(super) fn moves(&self) -> Vec<(String, Option<MoveClass>)> {
        let PlayState::Game(game) = &self.table else { return Vec::new() };
        // What is known of the moves before the last ones holds still.
        let known = self.table.text().starts_with(&self.classes.0) && self.colours;
        let class = |at: usize| self.classes.1.get(at).copied().flatten().filter(|_| known);
        game.moves().enumerate().map(|(at, text)| (text.to_owned(), class(at))).collect()
    }
}

/// The two cells of a fact such as `joined(0,1;0,2)`.
fn cells(fact: &str) -> Option<(&str, &str)> {
    fact.split_once('(')?.1.strip_suffix(')')?.split_once(';')
}
