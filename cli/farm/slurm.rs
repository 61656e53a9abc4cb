//! Slurm: the script of a job array that runs the tasks of a farm.

use super::cluster::{cores, memory, task};
use super::run::WorkerResources;
use crate::runs::tasks::Tasks;
use crate::{Failure, output};
use clap::ArgMatches;
use std::path::PathBuf;

/// The name of the script, in the folder of the tasks.
const SCRIPT: &str = "slurm.sh";

/// Writes the script of so many tasks; where it is.
///
/// # Errors
/// When it cannot be written, or a word of the command is no text.
pub(super) fn write(
    matches: &ArgMatches,
    means: &WorkerResources,
    tasks: &Tasks,
    count: u32,
) -> Result<PathBuf, Failure> {
    let path = tasks.folder().join(SCRIPT);
    let unfit = |why: &str| Failure::usage(format!("--cluster slurm: {why}"));
    let words = task(matches, tasks, "SLURM_ARRAY_TASK_ID");
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let words = words.ok_or_else(|| unfit("a name that is no UTF-8 cannot stand in a script"))?;
    let words = shlex::try_join(words).map_err(|error| unfit(&error.to_string()))?;
    let text = script(&words, count, cores(matches, means), memory(matches));
    output::write_file(&path, true, |out| out.write_all(text.as_bytes()))?;
    Ok(path)
}

fn script(words: &str, count: u32, cores: usize, memory: Option<u64>) -> String {
    let memory = memory.map_or(String::new(), |memory| format!("#SBATCH --mem={memory}M\n"));
    format!(
        "#!/bin/sh\n\
         # One task of a farm for each number of the array. A task that was ended goes on where it\n\
         # was when it is submitted again.\n\
         #SBATCH --job-name=unstuck-farm\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={cores}\n\
         {memory}#SBATCH --output=/dev/null\n\
         #SBATCH --requeue\n\
         exec {words}\n",
        last = count - 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_says_what_each_task_needs() {
        let text = script("unstuck farm task 'a store'", 7, 2, Some(300));
        for line in [
            "#!/bin/sh",
            "#SBATCH --array=0-6",
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --mem=300M",
            "#SBATCH --requeue",
            "exec unstuck farm task 'a store'",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}:\n{text}");
        }
        assert!(!script("unstuck", 1, 1, None).contains("--mem"));
    }
}
