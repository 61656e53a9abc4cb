//! The command-line program `unstuck`: see [`unstuck_cli`].

fn main() -> std::process::ExitCode {
    unstuck_cli::run()
}
