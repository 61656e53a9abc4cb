//! Levels that several tests run the program on.

pub(crate) const EASY: &str = "#####\n#@$.#\n#####\n";

pub(crate) const STUCK: &str = "######\n#$   #\n#@ . #\n######\n";

/// Far beyond search and SAT solvers; dead patterns show its optimum within a second.
pub(crate) const ENDLESS: &str = "\
##############
#            #
# $ $ $ $ $  #
#  $ $ $ $ $ #
# $ $ $ $ $  #
#     @      #
###### #######
#            #
#.....  .....#
#.....       #
#            #
##############
";

/// The project's own levels.
pub(crate) fn own(path: &str) -> String {
    let folder = crate::root().join("puzzles/levels");
    folder.join(path).to_str().expect("a plain name").to_owned()
}
