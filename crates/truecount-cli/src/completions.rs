//! `truecount completions`: shell completion of commands, options and their values, in bash also of
//! the columns of the tables on the command line.

use crate::error::CliError;
use crate::output;
use clap::Command;
use clap_complete::{Shell, generate};
use indexmap::IndexSet;
use std::io::Write;
use std::path::PathBuf;
use truecount_tables::input;

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

/// Prints the names of the columns of tables, a line each.
#[derive(clap::Args)]
pub struct ColumnsArgs {
    /// Tables; those that cannot be read are left out
    files: Vec<PathBuf>,
}

/// A bash function that completes names of columns, and leaves the rest to clap's function. A comma
/// separates names. Bash must not expand a name, which may come from a file of somebody else.
const BASH_COLUMNS: &str = r#"
_truecount_or_columns() {
    local current="${COMP_WORDS[COMP_CWORD]}" before="" files=() name quoted i
    case "${COMP_WORDS[COMP_CWORD-1]}" in
        @COLUMNS@)
            for ((i = 2; i < COMP_CWORD; i++)); do
                case "${COMP_WORDS[i-1]}" in
                    @TABLES@) files+=("${COMP_WORDS[i]/#\~/$HOME}") ;;
                esac
            done
            [[ "$current" == *,* ]] && before="${current%,*},"
            COMPREPLY=()
            while IFS= read -r name; do
                printf -v quoted %q "$name"
                [[ "$quoted" == "${current##*,}"* ]] && COMPREPLY+=("$before$quoted")
            done < <("$1" columns "${files[@]}")
            ;;
        *) _truecount "$@" ;;
    esac
}
complete -F _truecount_or_columns -o bashdefault -o default truecount
"#;

/// Options with the tables whose columns are completed.
const TABLES: &str = "--train|--test|--other-test|--pool|--table|--audit";

pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<(), CliError> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "truecount", &mut script);
    if args.shell == Shell::Bash {
        let columns = BASH_COLUMNS.replace("@COLUMNS@", &column_options(&command)).replace("@TABLES@", TABLES);
        script.extend(columns.into_bytes());
    }
    output::to_stdout(|out| out.write_all(&script))
}

pub fn run_columns(args: &ColumnsArgs) -> Result<(), CliError> {
    let names: IndexSet<String> = args.files.iter().flat_map(|file| input::column_names(file)).collect();
    output::to_stdout(|out| names.iter().try_for_each(|name| writeln!(out, "{name}")))
}

/// Returns the options of all commands whose values are names of columns, separated by bars.
fn column_options(program: &Command) -> String {
    let options = program.get_subcommands().flat_map(Command::get_arguments);
    let of_columns = options
        .filter(|option| option.get_value_names().is_some_and(|names| names[0].split('|').any(|name| name == "COL")));
    let names: IndexSet<String> =
        of_columns.filter_map(|option| option.get_long()).map(|name| format!("--{name}")).collect();
    names.into_iter().collect::<Vec<_>>().join("|")
}
