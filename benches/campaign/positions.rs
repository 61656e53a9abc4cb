//! Questions about positions: where a game went wrong, and what to do next.

use crate::Counts;
use crate::game::{At, Chart, Price, sum};
use crate::questions::{Asking, Verdict, price, same};
use unstuck::questions::analysis::Analysis;
use unstuck::questions::diagnose::{MoveClass, diagnose};
use unstuck::questions::hint::hint;
use unstuck::solve::{self, Request, solve};
use unstuck_encodings::Cost;
use unstuck_puzzles::Moves;

impl<P: Moves> Asking<'_, P> {
    /// Of a game that was played: each move is free when the rest got cheaper by just what the move
    /// costs, fatal when the game could be won before it and not after it, else costly by what is
    /// lost. Nothing is said of moves after that.
    pub(crate) fn diagnosed(&mut self, counts: &mut Counts) -> Verdict {
        let mut moves = self.chart.random_game(&mut self.rng);
        if self.rng.u8(..4) == 0 {
            // A move of another position: likely not possible here.
            let at = &self.chart.positions[self.rng.usize(..self.chart.positions.len())];
            moves.extend(self.rng.choice(self.chart.game.puzzle.moves(&at.0)));
        }
        let text = self.chart.game.puzzle.solution(&moves).to_string();
        let played = self.chart.game.play(&text).ok_or("unreadable moves")?;
        let instance = self.instance;
        let mut asked = Analysis::new(instance, self.constraints()).ok_or("no atlas")?;
        let game = asked.atlas.play(&text).map_err(|error| error.to_string())?;
        let answer = diagnose(&mut asked, &game, &self.limits);
        if self.is_open(answer.stop, counts) {
            return Ok(());
        }
        let left: Vec<Option<Price>> =
            played.positions.iter().map(|at| self.chart.left(at)).collect();
        let last = left.len() - 1;
        let lost = left.iter().position(Option::is_none);
        let solvable = lost.map_or(Some(last), |lost| lost.checked_sub(1));
        let illegal = answer.illegal.as_ref().map(|violation| violation.at);
        let of = |what: &str| format!("{what} of {text}");
        same(&of("illegal"), illegal, played.stop.map(Some))?;
        same(&of("moves"), answer.moves.len(), last)?;
        same(&of("lost"), answer.lost, lost)?;
        same(&of("fatal"), answer.fatal, lost.filter(|&lost| lost > 0))?;
        same(&of("solvable"), answer.solvable, solvable)?;
        same(&of("optimum"), answer.optimum.map(price), left[0])?;
        same(&of("rest"), answer.rest.map(price), left[last])?;
        // Where walking is free, a walk at most may be left.
        same(&of("solved"), answer.solved, left[last] == Some((0, 0)))?;
        for (index, said) in answer.moves.iter().enumerate() {
            let truth = match (left[index], left[index + 1]) {
                (None, _) => (None, None),
                (Some(_), None) => (Some(MoveClass::Fatal), None),
                (Some(before), Some(after)) => {
                    let after = sum(after, played.prices[index]);
                    let class = if after == before { MoveClass::Free } else { MoveClass::Costly };
                    let tie = i64::from(after.1) - i64::from(before.1);
                    (Some(class), Some((after.0 - before.0, tie)))
                }
            };
            same(
                &of(&format!("move {}", index + 1)),
                (said.class, said.cost.zip(said.tie)),
                truth,
            )?;
            if let Some(class) = said.class {
                counts.add(&format!("diagnosed: {}", class.name()));
            }
        }
        Ok(())
    }

    /// A hint after some moves is the beginning of a shortest way to win from there; what is
    /// required has to happen after these moves. A position that is drawn says the same.
    pub(crate) fn hinted(&mut self, counts: &mut Counts) -> Verdict {
        let moves = self.chart.random_game(&mut self.rng);
        let text = self.chart.game.puzzle.solution(&moves).to_string();
        let played = self.chart.game.play(&text).ok_or("unreadable moves")?;
        let (state, _) = played.positions.last().expect("the start");
        let game = self.chart.game.begun_at(state);
        let Some(chart) = Chart::of(game, self.most) else { return Ok(()) };
        let later = self.instance.continued(&text).map_err(|error| error.to_string())?;
        let of = |what: &str| format!("{what} after `{text}`");
        if P::GAME.drawn.is_some() {
            let drawn = self.chart.game.puzzle.begun_at(state).print();
            let drawn = self.instance.continued(&drawn).map_err(|error| error.to_string())?;
            same(&of("drawn"), drawn.text(), later.text())?;
        }
        let mut asked = Analysis::new(later.as_ref(), self.constraints()).ok_or("no atlas")?;
        if self.rng.bool() {
            asked = asked.with_first_look(0);
        }
        let rest = chart.optimum();
        let whole = hint(&mut asked, None, usize::MAX, &self.limits);
        if self.is_open(whole.stop, counts) {
            return Ok(());
        }
        if whole.at_most.is_none() {
            same(&of("rest"), whole.rest.map(price), rest)?;
            same(&of("at least"), whole.at_least.map(price), rest)?;
        }
        same(&of("solvable"), whole.solvable, Some(rest.is_some()))?;
        let Some(rest) = rest else { return Ok(()) };
        let moves = whole.moves.ok_or("no moves")?;
        let wins = chart.game.wins(&moves);
        if whole.at_most.is_none() {
            same(&of(&format!("price of {moves}")), wins, Some(rest))?;
        } else {
            same(&of(&format!("{moves} wins")), wins.is_some(), true)?;
        }
        self.next_push(&chart, &mut asked, rest, &of)?;
        counts.add(if self.constraints().is_empty() { "hint" } else { "hint with wishes" });
        if self.constraints().is_empty() && self.rng.u8(..4) == 0 {
            self.solved_later(later.as_ref(), rest, &of)?;
        }
        Ok(())
    }

    /// One push ahead: after a walk without one, and an optimal plan goes on from there.
    fn next_push(
        &self,
        chart: &Chart<P>,
        asked: &mut Analysis<'_>,
        rest: Price,
        of: &dyn Fn(&str) -> String,
    ) -> Verdict {
        let next = hint(asked, None, 1, &self.limits);
        let moves = next.moves.ok_or("no moves")?;
        let played =
            chart.game.play(&moves).filter(|it| it.stop.is_none()).ok_or("illegal hint")?;
        let paid = played.prices.iter().copied().fold((0, 0), sum);
        let there: &At<P> = played.positions.last().expect("the start");
        let whole = chart.left(there).map(|left| sum(left, paid));
        same(&of(&format!("optimum through {moves}")), whole, Some(rest))
    }

    /// `solve` of the position.
    fn solved_later(
        &self,
        later: &dyn unstuck::instance::Instance,
        rest: Price,
        of: &dyn Fn(&str) -> String,
    ) -> Verdict {
        let request = Request::default().with_threads(1).with_limits(self.limits.clone());
        let outcome = solve(later, &request, &|_| {}).map_err(|error| error.to_string())?;
        let objective = later.objective();
        let cost = outcome.best.as_ref().map(|best| price(Cost::of(objective, best.tally())));
        match outcome.verdict {
            solve::Verdict::Unknown(_) => Ok(()),
            solve::Verdict::Solved if objective == unstuck_puzzles::Objective::Any => Ok(()),
            solve::Verdict::Solved if outcome.optimal => {
                same(&of("optimum by solve"), cost.map(|cost| cost.0), Some(rest.0))
            }
            solve::Verdict::Solved => Ok(()),
            other => Err(of(&format!("{other:?}"))),
        }
    }
}
