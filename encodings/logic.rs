//! Small building blocks of clauses, shared by the families.
//!
//! References: the sequential counter (ladder) of Sinz, "Towards an Optimal CNF Encoding of
//! Boolean Cardinality Constraints", CP 2005; the totalizer of Bailleux and Boufkhad, "Efficient
//! CNF Encoding of Boolean Cardinality Constraints", CP 2003.

use crate::cnf::{Cnf, Lit, Rule, Step};
use std::hash::Hash;

/// Up to this many literals the pairwise encoding of at-most-one has no more clauses than a ladder.
const PAIRWISE_LIMIT: usize = 6;

/// If all `premises` hold, then one of the `conclusions` does.
pub fn implies<V: Copy + Eq + Hash>(
    cnf: &mut Cnf<V>,
    rule: Rule,
    premises: &[Lit],
    conclusions: &[Lit],
) {
    cnf.add(rule, premises.iter().map(|&lit| !lit).chain(conclusions.iter().copied()));
}

/// At most one of the literals holds: pairwise when few, else a ladder with auxiliaries in `layer`.
pub fn at_most_one<V: Copy + Eq + Hash>(cnf: &mut Cnf<V>, rule: Rule, layer: Step, lits: &[Lit]) {
    if lits.len() <= PAIRWISE_LIMIT {
        for (index, &a) in lits.iter().enumerate() {
            for &b in &lits[index + 1..] {
                cnf.add(rule, [!a, !b]);
            }
        }
        return;
    }
    // Rung i says: one of the literals 0..=i holds.
    let mut below: Option<Lit> = None;
    for (index, &lit) in lits.iter().enumerate() {
        if let Some(below) = below {
            cnf.add(rule, [!below, !lit]);
        }
        if index + 1 < lits.len() {
            let rung = cnf.aux(rule, layer);
            cnf.add(rule, [!lit, rung]);
            if let Some(below) = below {
                cnf.add(rule, [!below, rung]);
                // The rung is a function of the literals, so that propagation fixes it.
                cnf.add(rule, [!rung, below, lit]);
            } else {
                cnf.add(rule, [!rung, lit]);
            }
            below = Some(rung);
        }
    }
}

/// Exactly one of the literals holds.
pub fn exactly_one<V: Copy + Eq + Hash>(cnf: &mut Cnf<V>, rule: Rule, layer: Step, lits: &[Lit]) {
    cnf.add(rule, lits.iter().copied());
    at_most_one(cnf, rule, layer, lits);
}

/// `target` holds exactly when all of `lits` hold.
pub fn define_and<V: Copy + Eq + Hash>(cnf: &mut Cnf<V>, rule: Rule, target: Lit, lits: &[Lit]) {
    for &lit in lits {
        cnf.add(rule, [!target, lit]);
    }
    cnf.add(rule, lits.iter().map(|&lit| !lit).chain([target]));
}

/// `target` holds exactly when one of `lits` holds.
pub fn define_or<V: Copy + Eq + Hash>(cnf: &mut Cnf<V>, rule: Rule, target: Lit, lits: &[Lit]) {
    for &lit in lits {
        cnf.add(rule, [target, !lit]);
    }
    cnf.add(rule, lits.iter().copied().chain([!target]));
}

/// Unary count of the true literals, as a totalizer: the k-th output (from 0) holds exactly when
/// more than k of `lits` hold. Counts above `cap` are not distinguished: there are at most `cap`
/// outputs, and a count of `cap` or more makes all of them true.
pub fn count<V: Copy + Eq + Hash>(
    cnf: &mut Cnf<V>,
    rule: Rule,
    layer: Step,
    lits: &[Lit],
    cap: usize,
) -> Vec<Lit> {
    let units: Vec<[Lit; 1]> = lits.iter().map(|&lit| [lit]).collect();
    sum(cnf, rule, layer, &units, cap)
}

/// At most `most` of the literals hold.
pub fn at_most<V: Copy + Eq + Hash>(
    cnf: &mut Cnf<V>,
    rule: Rule,
    layer: Step,
    lits: &[Lit],
    most: usize,
) {
    if let Some(&more) = count(cnf, rule, layer, lits, most + 1).get(most) {
        cnf.add(rule, [!more]);
    }
}

/// At least `least` of the literals hold.
pub fn at_least<V: Copy + Eq + Hash>(
    cnf: &mut Cnf<V>,
    rule: Rule,
    layer: Step,
    lits: &[Lit],
    least: usize,
) {
    let Some(last) = least.checked_sub(1) else { return };
    let enough = count(cnf, rule, layer, lits, least).get(last).copied();
    cnf.add(rule, enough);
}

/// Unary sum of unary numbers, as a totalizer: like [`count`] of all their digits, where the
/// digits of each number are known to be in order (the k-th holds when the number is more than k).
pub fn sum<V: Copy + Eq + Hash, N: AsRef<[Lit]>>(
    cnf: &mut Cnf<V>,
    rule: Rule,
    layer: Step,
    numbers: &[N],
    cap: usize,
) -> Vec<Lit> {
    if cap == 0 {
        return Vec::new();
    }
    if numbers.len() <= 1 {
        let digits = numbers.iter().flat_map(|number| number.as_ref().iter().copied());
        return digits.take(cap).collect();
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let left = sum(cnf, rule, layer, left, cap);
    let right = sum(cnf, rule, layer, right, cap);
    let size = (left.len() + right.len()).min(cap);
    let sums: Vec<Lit> = (0..size).map(|_| cnf.aux(rule, layer)).collect();
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            let premises = || {
                let i = i.checked_sub(1).map(|k| left[k]);
                let j = j.checked_sub(1).map(|k| right[k]);
                i.into_iter().chain(j)
            };
            // i on the left and j on the right make at least i + j (at most all are distinguished).
            if let Some(&sum) = (i + j).min(size).checked_sub(1).and_then(|k| sums.get(k)) {
                cnf.add(rule, premises().map(|lit| !lit).chain([sum]));
            }
            // Not more than i on the left and j on the right make at most i + j.
            if let Some(&sum) = sums.get(i + j) {
                let more = left.get(i).into_iter().chain(right.get(j)).copied();
                cnf.add(rule, more.chain([!sum]));
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Model;

    const RULE: Rule = Rule::defining("test");

    /// For each setting of the first `inputs` atoms: can the other atoms be chosen so that all
    /// clauses hold, and in how many ways?
    fn ways(cnf: &Cnf<usize>, inputs: usize) -> Vec<(u32, Vec<Model>)> {
        let all = cnf.variables();
        (0..1u32 << inputs)
            .map(|inputs_set| {
                let models = (0..1u32 << (all - inputs)).filter_map(|rest| {
                    let bits = inputs_set | rest << inputs;
                    let lits = (0..all).map(|i| {
                        let lit = Lit::from_dimacs(i as i32 + 1).unwrap();
                        lit.when(bits >> i & 1 == 1)
                    });
                    let model = Model::new(all, lits);
                    let holds = cnf.iter().all(|(_, c)| c.iter().any(|&lit| model.holds(lit)));
                    holds.then_some(model)
                });
                (inputs_set, models.collect())
            })
            .collect()
    }

    fn inputs(cnf: &mut Cnf<usize>, n: usize) -> Vec<Lit> {
        (0..n).map(|i| cnf.lit(0, i)).collect()
    }

    #[test]
    fn at_most_one_and_exactly_one_mean_what_they_say() {
        for n in 0..=8 {
            for exactly in [false, true] {
                let mut cnf = Cnf::default();
                let lits = inputs(&mut cnf, n);
                if exactly {
                    exactly_one(&mut cnf, RULE, 0, &lits);
                } else {
                    at_most_one(&mut cnf, RULE, 0, &lits);
                }
                for (bits, models) in ways(&cnf, n) {
                    let fine = bits.count_ones() == 1 || (bits == 0 && !exactly);
                    assert_eq!(models.len(), usize::from(fine), "{n} literals, {bits:b}");
                }
            }
        }
    }

    #[test]
    fn a_count_is_a_function_of_its_literals() {
        for n in 0..=5 {
            for cap in 0..=n {
                let mut cnf = Cnf::default();
                let lits = inputs(&mut cnf, n);
                let sums = count(&mut cnf, RULE, 0, &lits, cap);
                for (bits, models) in ways(&cnf, n) {
                    assert_eq!(models.len(), 1, "one way to count {bits:b} up to {cap}");
                    for (k, &sum) in sums.iter().enumerate() {
                        assert_eq!(models[0].holds(sum), bits.count_ones() as usize > k);
                    }
                }
            }
        }
    }

    #[test]
    fn at_least_and_at_most_bound_the_count() {
        for n in 0..=5 {
            for bound in 0..=n + 1 {
                for least in [false, true] {
                    let mut cnf = Cnf::default();
                    let lits = inputs(&mut cnf, n);
                    let limit = if least { at_least } else { at_most };
                    limit(&mut cnf, RULE, 0, &lits, bound);
                    for (bits, models) in ways(&cnf, n) {
                        let ones = bits.count_ones() as usize;
                        let fine = if least { ones >= bound } else { ones <= bound };
                        assert_eq!(!models.is_empty(), fine, "{bits:b}, {bound}, {least}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_sum_is_a_function_of_its_numbers() {
        for cap in 0..=5 {
            let mut cnf = Cnf::default();
            let lits = inputs(&mut cnf, 5);
            let sums = sum(&mut cnf, RULE, 0, &[&lits[..2], &lits[2..3], &lits[3..]], cap);
            for (bits, models) in ways(&cnf, 5) {
                // No second digit without the first.
                if bits & 0b11 == 0b10 || bits >> 3 == 0b10 {
                    continue;
                }
                assert_eq!(models.len(), 1, "one way to sum {bits:b} up to {cap}");
                for (k, &sum) in sums.iter().enumerate() {
                    assert_eq!(models[0].holds(sum), bits.count_ones() as usize > k);
                }
            }
        }
    }

    #[test]
    fn definitions_are_equivalences() {
        let mut cnf = Cnf::default();
        let lits = inputs(&mut cnf, 3);
        let (all, any) = (cnf.lit(0, 3), cnf.lit(0, 4));
        define_and(&mut cnf, RULE, all, &lits);
        define_or(&mut cnf, RULE, any, &lits);
        for (bits, models) in ways(&cnf, 3) {
            assert_eq!(models.len(), 1);
            assert_eq!((models[0].holds(all), models[0].holds(any)), (bits == 7, bits != 0));
        }
    }
}
