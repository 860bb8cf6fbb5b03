//! `truecount completions`: shell completion of commands, options and their values, in bash, zsh and
//! fish also of the columns of the tables on the command line.

use crate::error::CliError;
use crate::output;
use clap::{Arg, Command, ValueHint};
use clap_complete::{Shell, generate};
use indexmap::IndexSet;
use std::io::Write;
use std::path::PathBuf;
use truecount_tables::groups::SheetChoice;
use truecount_tables::input;

/// The lines have at most 80 characters, because a wrapped line cannot be copied.
const AFTER: &str = r#"To install them:
  echo 'source <(truecount completions bash)' >> ~/.bashrc
  truecount completions zsh > "${fpath[1]}/_truecount"
  truecount completions fish > ~/.config/fish/completions/truecount.fish
  echo 'eval (truecount completions elvish | slurp)' >> ~/.config/elvish/rc.elv
  Add-Content $PROFILE 'truecount completions powershell | Out-String | iex'"#;

/// Marks options whose values are names of columns. No other option has this hint, and clap's scripts
/// for zsh and fish complete its values with a function of the shell, in whose place ours is put.
const COLUMN_HINT: ValueHint = ValueHint::Hostname;

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

/// A zsh function that completes names of columns, for the start of clap's script.
const ZSH_COLUMNS: &str = r#"#compdef truecount

_truecount_columns() {
    local -a files names
    local i
    for ((i = 2; i < CURRENT; i++)); do
        case "${words[i-1]}" in
            @TABLES@) files+=("${(Q)words[i]/#\~/$HOME}") ;;
        esac
    done
    names=(${(f)"$(truecount columns "${files[@]}")"})
    compset -P '*,'
    compadd -a names || _default
}
"#;

/// A fish function that completes names of columns.
const FISH_COLUMNS: &str = r#"
function __truecount_columns
    set -l words (commandline -opc)
    set -l files
    for i in (seq 2 (count $words))
        if string match -qr -- '^(@TABLES@)$' $words[(math $i - 1)]
            set -a files (string replace -r -- '^~' $HOME $words[$i])
        end
    end
    set -l current (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
    set -l before (string match -r -- '^.*,' $current)
    set -l names "$before"(truecount columns $files)
    string match -q -- $current'*' $names && string join \n -- $names || __fish_complete_path $current
end
"#;

/// Options with the tables whose columns are completed.
const TABLES: &str = "--train|--test|--other-test|--pool|--table|--audit";

pub fn run(args: &CompletionsArgs, command: Command) -> Result<(), CliError> {
    let with_hint = |option: Arg| if takes_column(&option) { option.value_hint(COLUMN_HINT) } else { option };
    let mut command = command.mut_subcommands(|command| command.mut_args(with_hint));
    let mut script = Vec::new();
    generate(args.shell, &mut command, "truecount", &mut script);
    let script = String::from_utf8(script).expect("a script is text");
    let script = match args.shell {
        Shell::Bash => script + &BASH_COLUMNS.replace("@COLUMNS@", &column_options(&command)),
        Shell::Zsh => {
            script.replacen("#compdef truecount\n", ZSH_COLUMNS, 1).replace(":_hosts'", ":_truecount_columns'")
        }
        Shell::Fish => script.replace("(__fish_print_hostnames)", "(__truecount_columns)") + FISH_COLUMNS,
        _ => script,
    };
    output::to_stdout(|out| out.write_all(script.replace("@TABLES@", TABLES).as_bytes()))
}

pub fn run_columns(args: &ColumnsArgs) -> Result<(), CliError> {
    let names: IndexSet<String> =
        args.files.iter().filter_map(|file| input::column_names(file, SheetChoice::default()).ok()).flatten().collect();
    output::to_stdout(|out| names.iter().try_for_each(|name| writeln!(out, "{name}")))
}

/// Returns the options of all commands whose values are names of columns, separated by bars.
fn column_options(program: &Command) -> String {
    let options = program.get_subcommands().flat_map(Command::get_arguments).filter(|option| takes_column(option));
    let names: IndexSet<String> = options.filter_map(Arg::get_long).map(|name| format!("--{name}")).collect();
    names.into_iter().collect::<Vec<_>>().join("|")
}

/// Returns whether the values of an option are names of columns.
fn takes_column(option: &Arg) -> bool {
    option.get_value_names().is_some_and(|names| names[0].split('|').any(|name| name == "COL"))
}
