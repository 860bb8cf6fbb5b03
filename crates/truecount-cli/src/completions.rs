//! `truecount completions`: shell completion of commands, options and their values.

use crate::error::CliError;
use crate::output;
use clap::Command;
use clap_complete::{Shell, generate};
use std::io::Write;

/// The lines have at most 80 characters, because a wrapped line cannot be copied.
const AFTER: &str = r#"To install them:
  echo 'source <(truecount completions bash)' >> ~/.bashrc
  truecount completions zsh > "${fpath[1]}/_truecount"
  truecount completions fish > ~/.config/fish/completions/truecount.fish
  echo 'eval (truecount completions elvish | slurp)' >> ~/.config/elvish/rc.elv
  Add-Content $PROFILE 'truecount completions powershell | Out-String | iex'"#;

/// Prints a script that completes commands, options and their values in a shell.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<(), CliError> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "truecount", &mut script);
    output::to_stdout(|out| out.write_all(&script))
}
