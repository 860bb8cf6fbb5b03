//! Programs run in the workspace's folder, in one lane or two.

use std::collections::VecDeque;
use std::fmt;
use std::io::{Read, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Whether two lanes run at the same time.
static HAS_LANES: AtomicBool = AtomicBool::new(false);

/// The reason why a task failed.
pub struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A step of the checks.
pub type Step<'a> = &'a dyn Fn() -> Result<(), TaskError>;

/// Runs all steps, also after one that fails, so that one run shows all that is wrong.
///
/// # Errors
/// Returns the errors of all steps that failed, a line each.
pub fn run_all(steps: &[Step]) -> Result<(), TaskError> {
    join(steps.iter().map(|step| step()))
}

/// Runs two sequences of steps at the same time.
///
/// # Errors
/// Returns the errors of both, a line each.
pub fn run_lanes(
    first: impl FnOnce() -> Result<(), TaskError>,
    second: impl FnOnce() -> Result<(), TaskError> + Send,
) -> Result<(), TaskError> {
    HAS_LANES.store(true, Ordering::Relaxed);
    let results = thread::scope(|scope| {
        let second = scope.spawn(second);
        [first(), second.join().expect("a lane does not panic")]
    });
    HAS_LANES.store(false, Ordering::Relaxed);
    join(results)
}

/// A step that a lane takes from a common list.
pub type SharedStep<'a> = Box<dyn FnOnce() -> Result<(), TaskError> + Send + 'a>;

/// A common list of steps: a lane that is free takes the next.
#[derive(Default)]
pub struct SharedSteps<'a>(Mutex<VecDeque<SharedStep<'a>>>);

impl<'a> SharedSteps<'a> {
    /// Adds steps at the end.
    pub fn add(&self, steps: impl IntoIterator<Item = SharedStep<'a>>) {
        self.0.lock().expect("a lane does not panic").extend(steps);
    }

    /// Runs steps until there are no more in the list.
    ///
    /// # Errors
    /// Returns the errors of the steps that failed, a line each.
    pub fn run(&self) -> Result<(), TaskError> {
        let next = || self.0.lock().expect("a lane does not panic").pop_front();
        join(iter::from_fn(next).map(|step| step()))
    }
}

/// Joins the messages of all errors.
fn join(results: impl IntoIterator<Item = Result<(), TaskError>>) -> Result<(), TaskError> {
    let messages: Vec<String> = results.into_iter().filter_map(|result| result.err().map(|e| e.0)).collect();
    if messages.is_empty() { Ok(()) } else { Err(TaskError(messages.join("\n"))) }
}

/// Runs cargo; see [`run`].
pub fn cargo(label: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), TaskError> {
    run(label, env!("CARGO"), arguments, environment)
}

/// Runs a program, and prints its command line and how long it took after a label.
///
/// In a lane, the output of the program is printed when it ends, so that it is not mixed with the
/// output of the other lane.
pub fn run(label: &str, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), TaskError> {
    let name = Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy());
    eprintln!("── {label}: {name} {}", arguments.join(" "));
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root());
    let is_in_lane = HAS_LANES.load(Ordering::Relaxed);
    let (status, output) =
        if is_in_lane { run_in_lane(command) } else { command.status().map(|status| (status, Vec::new())) }
            .map_err(|e| TaskError(format!("{program} cannot be run: {e}")))?;
    let heading = if output.is_empty() { String::new() } else { format!("── output of {label}\n") };
    let seconds = start.elapsed().as_secs_f64();
    let text = [heading.as_bytes(), &output, format!("── {label}: {seconds:.0} s\n").as_bytes()].concat();
    let _ = std::io::stderr().lock().write_all(&text);
    if status.success() { Ok(()) } else { Err(TaskError(format!("{label} failed"))) }
}

/// Runs a program, and returns its output.
pub fn output(program: &str, arguments: &[&str]) -> Result<String, TaskError> {
    let run = Command::new(program).args(arguments).current_dir(root()).output();
    let run = run.map_err(|e| TaskError(format!("{program} cannot be run: {e}")))?;
    let [output, errors] = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if run.status.success() { Ok(output) } else { Err(TaskError(errors)) }
}

/// Runs a program, and returns its status and what it printed.
fn run_in_lane(mut command: Command) -> std::io::Result<(ExitStatus, Vec<u8>)> {
    let (mut reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the pipe's other end open.
    drop(command);
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((child.wait()?, output))
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
