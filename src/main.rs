//! The command-line program `unstuck`: see [`unstuck::cli`].

fn main() -> std::process::ExitCode {
    unstuck::cli::run()
}
