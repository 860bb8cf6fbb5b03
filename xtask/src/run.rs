//! Runs programs in the workspace's folder.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Why a task failed.
pub struct Failed(pub String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub fn cargo(what: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failed> {
    run(what, env!("CARGO"), arguments, environment)
}

/// Runs a program, and says what is run and how long it took.
pub fn run(what: &str, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), Failed> {
    let name = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
    eprintln!("── {what}: {name} {}", arguments.join(" "));
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| Failed(format!("{program} cannot be run: {e}")))?;
    eprintln!("── {what}: {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(Failed(format!("{what} failed"))) }
}

/// A file in cargo's build folder, which also holds this very program as debug/xtask.
pub fn built(file: &str) -> Result<String, Failed> {
    let this = std::env::current_exe().map_err(|e| Failed(format!("xtask cannot be found: {e}")))?;
    let folder = this.ancestors().nth(2).ok_or_else(|| Failed(format!("{} is in no build folder", this.display())))?;
    Ok(folder.join(file).display().to_string())
}

/// The workspace's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}
