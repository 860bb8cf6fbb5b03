//! `truecount completions`: what a shell needs to complete commands, options and their values.

use crate::args;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::io::Write;

const AFTER: &str = r#"To install them:
  bash        truecount completions bash > ~/.local/share/bash-completion/completions/truecount
  zsh         truecount completions zsh > "${fpath[1]}/_truecount"
  fish        truecount completions fish > ~/.config/fish/completions/truecount.fish
  elvish      echo 'eval (truecount completions elvish | slurp)' >> ~/.config/elvish/rc.elv
  powershell  Add-Content $PROFILE 'truecount completions powershell | Out-String | Invoke-Expression'"#;

/// Prints a script that completes commands, options and their values in a shell.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut args::Args::command(), "truecount", &mut script);
    output::to_stdout(|out| out.write_all(&script))
}
