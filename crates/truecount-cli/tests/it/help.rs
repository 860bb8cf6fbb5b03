//! Shell completions and manual pages, which are generated from the command line's definition.

use crate::common::Folder;
use insta::assert_snapshot;
use std::process::Command;

/// Returns the stdout and stderr of a program, or `None` if the program is not installed.
fn program_output(folder: &Folder, program: &str, arguments: &[&str]) -> Option<String> {
    let run = Command::new(program).args(arguments).current_dir(folder.path()).output().ok()?;
    assert!(run.status.success(), "{run:?}");
    Some(String::from_utf8([run.stdout, run.stderr].concat()).unwrap())
}

/// A script that prints the completions bash offers for its last argument.
const COMPLETE: &str = r#"
source ./script
complete_last() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _truecount truecount "${@: -1}" "${@: -2:1}"
    echo "${COMPREPLY[@]}"
}
complete_last truecount est
complete_last truecount estimate --form
complete_last truecount estimate --format m
complete_last truecount fit --family ""
complete_last truecount plan --half
"#;

#[test]
fn bash_completes_commands_options_and_values() {
    let script = Folder::new().run("completions bash").stdout;
    let folder = Folder::new().file("script", script).file("complete", COMPLETE);
    assert_eq!(program_output(&folder, "bash", &["-n", "script"]).expect("bash"), "");
    assert_snapshot!(program_output(&folder, "bash", &["complete"]).unwrap(), @"
    estimate
    --format
    markdown
    normal skew-normal logistic student-t beta kernel auto
    --half-width
    ");
}

#[test]
fn each_command_has_a_manual_page_with_all_its_options() {
    let folder = Folder::new();
    folder.run_ok("man pages");
    let names = folder.names("pages");
    let commands: Vec<&str> =
        names.iter().map(|name| name.trim_start_matches("truecount-").trim_end_matches(".1")).collect();
    assert_snapshot!(commands.join(" "), @"audit check compare completions counts estimate evaluate experiment finish fit help man monitor plan report sql tally truecount");
    for name in &names {
        let page = std::fs::read_to_string(folder.path().join("pages").join(name)).unwrap().replace("\\-", "-");
        let command = name.trim_end_matches(".1").replace('-', " ");
        let help = folder.run(&format!("{} --help", command.strip_prefix("truecount").unwrap())).stdout;
        let options = help.split([' ', ',', '\n']).filter(|word| word.starts_with("--") && word.len() > 2);
        let mut number = 0;
        for option in options.filter(|word| word[2..].chars().all(|c| c == '-' || c.is_ascii_lowercase())) {
            assert!(page.contains(option), "{name} lacks {option}");
            number += 1;
        }
        assert!(number > 0, "{help}");
        // -k: the encoding that `man` expects of the pages.
        if let Some(complaints) =
            program_output(&folder, "groff", &["-k", "-man", "-ww", "-z", &format!("pages/{name}")])
        {
            assert_eq!(complaints, "");
        }
    }
    let estimate = folder.read("pages/truecount-estimate.1");
    assert!(estimate.contains("\n.br\n\\- es: Efficient Sweep\n"), "one line for each method");
}
