//! The program `unstuck-check`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match unstuck_check::program::run(&arguments, &mut io::stdout(), &mut io::stderr()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // Where standard error cannot be written either, the exit code says it.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}
