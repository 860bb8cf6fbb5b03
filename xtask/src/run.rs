//! Programs run in the workspace's folder.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The reason why a task failed.
pub struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs cargo; see [`run`].
pub fn cargo(label: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), TaskError> {
    run(label, env!("CARGO"), arguments, environment)
}

/// Runs a program, and prints its command line and how long it took after a label.
pub fn run(label: &str, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), TaskError> {
    let name = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
    eprintln!("── {label}: {name} {}", arguments.join(" "));
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| TaskError(format!("{program} cannot be run: {e}")))?;
    eprintln!("── {label}: {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(TaskError(format!("{label} failed"))) }
}

/// Returns the path of a file in cargo's build folder, where this program is debug/xtask.
pub fn built_file(file: &str) -> Result<String, TaskError> {
    let xtask = std::env::current_exe().map_err(|e| TaskError(format!("xtask cannot be found: {e}")))?;
    let folder =
        xtask.ancestors().nth(2).ok_or_else(|| TaskError(format!("{} is in no build folder", xtask.display())))?;
    Ok(folder.join(file).display().to_string())
}

/// Returns the workspace's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}
