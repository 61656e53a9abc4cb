//! Lists of cubes as text.

use super::Budget;
use super::list_format::{ListError, ListReader};
use std::io::{self, BufRead, Write};

/// A cube as text: literals by name, the false ones with [`NOT`] before them.
pub type NamedCube = Vec<String>;

/// Stands before a literal that is false.
pub const NOT: char = '-';

/// A list of cubes with their budgets, with the types of the family erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeList {
    /// What is claimed of the start.
    pub claim: Budget,
    /// The cubes.
    pub cubes: Vec<(Budget, NamedCube)>,
}

const TITLE: &str = "unstuck invariant 1";

impl CubeList {
    /// Writes the list as text: a title, the claim, the number of cubes, then one cube a line, its
    /// budget first (`*` where there is no solution at all).
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{TITLE}")?;
        writeln!(out, "claim {}", self.claim.write())?;
        writeln!(out, "cubes {}", self.cubes.len())?;
        for (budget, cube) in &self.cubes {
            writeln!(out, "{} {}", budget.write(), cube.join(" "))?;
        }
        Ok(())
    }

    /// Reads what [`CubeList::write`] wrote.
    ///
    /// # Errors
    /// The line that is not as it should be.
    pub fn read(input: impl BufRead) -> Result<Self, ListError> {
        let mut reader = ListReader::new(input, TITLE)?;
        let claim = reader.field("claim", Budget::read)?;
        let cubes = reader.entries("cubes", |line| {
            let mut words = line.split_whitespace();
            let budget = words.next().and_then(Budget::read)?;
            Some((budget, words.map(str::to_owned).collect()))
        })?;
        Ok(Self { claim, cubes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_and_faults_are_named() {
        let cube = |text: &str| text.split_whitespace().map(str::to_owned).collect::<NamedCube>();
        let cubes = vec![(Budget::Within(3), cube("a -b")), (Budget::Any, cube(""))];
        let list = CubeList { claim: Budget::Within(3), cubes };
        let mut text = Vec::new();
        list.write(&mut text).unwrap();
        assert_eq!(CubeList::read(text.as_slice()), Ok(list));
        let text = String::from_utf8(text).unwrap();
        for (from, to, reason) in [
            ("invariant 1", "invariant 2", "line 1"),
            ("claim 3", "claim x", "line 2"),
            ("cubes 2", "cubes x", "line 3"),
            ("cubes 2", "cubes 3", "ends where one of the cubes belongs"),
            ("cubes 2", "cubes 1", "line 5: more cubes than announced"),
            ("\n3 a", "\na", "line 4: not one of the cubes"),
        ] {
            let error = CubeList::read(text.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}: {reason}");
        }
    }
}
