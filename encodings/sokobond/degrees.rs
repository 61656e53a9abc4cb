//! Which atoms can be bonded in the end, by counting alone.
//!
//! Without `/` a bond stays for ever, and without `+` it is single: in a solved position the bonds
//! are a simple graph in which every atom has as many neighbours as electrons. Not every list of
//! degrees has such a graph. In CH4, say, no two of the H can ever bond, since the C would then
//! find no four partners. To see that from the moves is a pigeonhole argument at the end of every
//! line, which resolution is bad at; here it is one look at the degrees.
//!
//! References: Erdős and Gallai, "Gráfok előírt fokszámú pontokkal", 1960; for a vertex that must
//! not be joined to some others: Kim, Toroczkai, Erdős, Miklós, Székely, "Degree-based graph
//! construction", 2009.

use unstuck_puzzles::sokobond::Element;

/// No atom has more electrons than this.
const MAX_ELECTRONS: usize = 4;

/// Whether some simple graph has these degrees, at most four each.
pub fn is_graphic(degrees: impl IntoIterator<Item = u8>) -> bool {
    let mut of_degree = [0usize; MAX_ELECTRONS + 1];
    for degree in degrees {
        of_degree[usize::from(degree)] += 1;
    }
    let sum = |cut: usize| (1..=MAX_ELECTRONS).map(|d| d.min(cut) * of_degree[d]).sum::<usize>();
    if !sum(MAX_ELECTRONS).is_multiple_of(2) {
        return false;
    }
    // The k largest degrees against what k vertices can have among themselves and with the others.
    // From five vertices on they have enough among themselves.
    (1..=MAX_ELECTRONS).all(|k| {
        let (mut taken, mut first, mut first_cut) = (0, 0, 0);
        for degree in (1..=MAX_ELECTRONS).rev() {
            let count = of_degree[degree].min(k - taken);
            taken += count;
            first += degree * count;
            first_cut += degree.min(k) * count;
        }
        first <= k * (k - 1) + sum(k) - first_cut
    })
}

/// Whether some simple graph with these degrees joins two vertices.
fn can_join(degrees: &[u8], a: usize, b: usize) -> bool {
    let mut rest = degrees.to_vec();
    if a == b || rest[a] == 0 || rest[b] == 0 {
        return false;
    }
    rest[b] -= 1;
    // The others that the first vertex needs: those of the largest degrees, if any will do.
    let wanted = usize::from(std::mem::take(&mut rest[a]) - 1);
    let mut others: Vec<usize> = (0..rest.len()).filter(|&v| v != a && v != b).collect();
    others.sort_by_key(|&v| std::cmp::Reverse(rest[v]));
    if others.len() < wanted || others[..wanted].iter().any(|&v| rest[v] == 0) {
        return false;
    }
    others[..wanted].iter().for_each(|&v| rest[v] -= 1);
    is_graphic(rest)
}

/// Pairs of elements that have electrons but are bonded in no solved position, each in both
/// orders.
pub fn never_bonded(atoms: &[Element]) -> Vec<(Element, Element)> {
    let degrees: Vec<u8> = atoms.iter().map(|element| element.valence()).collect();
    let mut elements = atoms.to_vec();
    elements.sort_unstable();
    elements.dedup();
    elements.retain(|element| element.valence() > 0);
    let mut never = Vec::new();
    for (index, &first) in elements.iter().enumerate() {
        for &second in &elements[index..] {
            let a = atoms.iter().position(|&element| element == first);
            let b = atoms.iter().rposition(|&element| element == second);
            if let (Some(a), Some(b)) = (a, b)
                && !can_join(&degrees, a, b)
            {
                never.push((first, second));
                never.extend((first != second).then_some((second, first)));
            }
        }
    }
    never
}

#[cfg(test)]
mod tests {
    use super::*;
    use itertools::Itertools;

    /// All graphs on so many vertices, as lists of edges.
    fn graphs(vertices: usize) -> impl Iterator<Item = Vec<(usize, usize)>> {
        (0..vertices)
            .array_combinations()
            .map(|[a, b]| (a, b))
            .collect::<Vec<_>>()
            .into_iter()
            .powerset()
    }

    #[test]
    fn degrees_agree_with_all_graphs() {
        for vertices in 1..=5 {
            let mut joined: std::collections::BTreeMap<Vec<u8>, Vec<(usize, usize)>> =
                Default::default();
            for edges in graphs(vertices) {
                let mut degrees = vec![0u8; vertices];
                for &(a, b) in &edges {
                    degrees[a] += 1;
                    degrees[b] += 1;
                }
                joined.entry(degrees).or_default().extend(edges);
            }
            for degrees in (0..vertices).map(|_| 0..=4u8).multi_cartesian_product() {
                let known = joined.get(&degrees);
                assert_eq!(is_graphic(degrees.iter().copied()), known.is_some(), "{degrees:?}");
                for [a, b] in (0..vertices).array_combinations() {
                    let expected = known.is_some_and(|edges| edges.contains(&(a, b)));
                    assert_eq!(can_join(&degrees, a, b), expected, "{degrees:?} {a} {b}");
                    assert_eq!(can_join(&degrees, b, a), expected, "{degrees:?} {b} {a}");
                }
            }
        }
    }

    #[test]
    fn methane_keeps_its_hydrogen_apart() {
        use Element::{Carbon, Hydrogen};
        let atoms = [Carbon, Hydrogen, Hydrogen, Hydrogen, Hydrogen];
        assert_eq!(never_bonded(&atoms), [(Hydrogen, Hydrogen), (Carbon, Carbon)]);
    }
}
