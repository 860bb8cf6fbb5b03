//! Answers of each command for a case, compared with the answers for a plain file of the same values.

use super::cases::{Case, Cases};
use super::encode;
use super::input::run;
use crate::common::Run;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An answer with its stderr, or a run that failed.
type Outcome = Result<(String, String), Run>;

/// The reference answers, for tables written as plain files, in a folder that also contains the models.
pub struct References {
    folder: TempDir,
    answers: BTreeMap<String, BTreeMap<&'static str, Outcome>>,
}

const COMMANDS: [&str; 4] = ["estimate", "tally", "fit", "check"];

fn plain_case(case: &Case) -> Case {
    let Case { table, prob, weighted, by, inputs, .. } = case;
    Case {
        table: table.clone(),
        prob: *prob,
        weighted: *weighted,
        by: *by,
        inputs: vec!["file".to_owned(); inputs.len()],
        ..Case::default()
    }
}

fn key(case: &Case) -> String {
    format!("{}-{}-{}-{}-{}", case.table.replace(' ', "-"), case.inputs.len(), case.by, case.prob, case.weighted)
}

impl References {
    pub fn new(cases: &Cases, all: &[Case]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut references = Self { folder, answers: BTreeMap::new() };
        for name in cases.tables.keys() {
            let case = Case { table: name.clone(), ..Case::default() };
            fs::write(references.training_file(name), encode::bytes(cases, &case)).unwrap();
        }
        for case in all.iter().map(plain_case) {
            let key = key(&case);
            if references.answers.contains_key(&key) {
                continue;
            }
            references.fit_model(cases, &case);
            let answers = references.plain_answers(cases, &case, &key);
            references.answers.insert(key, answers);
        }
        references
    }

    /// Returns the path of a table as text, which models are fitted to.
    fn training_file(&self, table: &str) -> PathBuf {
        self.folder.path().join(format!("{}.csv", table.replace(' ', "-")))
    }

    fn model_file(&self, case: &Case) -> PathBuf {
        self.folder.path().join(format!("{}-{}.json", case.table.replace(' ', "-"), case.prob))
    }

    fn fit_model(&self, cases: &Cases, case: &Case) {
        let fit = format!("fit --train INPUT {} -o {}", methods(cases, case), self.model_file(case).display());
        let training_file = self.training_file(cases.model_table(case));
        let training_file = training_file.file_name().unwrap().to_str().unwrap();
        let (run, _) = run(self.folder.path(), &fit, training_file, &["file".to_owned()]);
        assert_eq!(run.code, 0, "{}: {}", case.table, run.stderr);
    }

    fn plain_answers(&self, cases: &Cases, case: &Case, key: &str) -> BTreeMap<&'static str, Outcome> {
        let folder = TempDir::new_in(self.folder.path()).unwrap();
        let file = format!("{key}.csv");
        let bytes = encode::bytes(cases, case);
        let (header, rows) = bytes.split_at(bytes.iter().position(|b| *b == b'\n').unwrap() + 1);
        fs::write(folder.path().join(&file), [header, &rows.repeat(case.inputs.len())].concat()).unwrap();
        let once = ["file".to_owned()];
        COMMANDS.map(|command| (command, self.outcome(command, cases, case, folder.path(), &file, &once).0)).into()
    }

    /// Returns the outcome of a command, and the name that its messages use for the input.
    fn outcome(
        &self,
        command: &str,
        cases: &Cases,
        case: &Case,
        folder: &Path,
        file: &str,
        inputs: &[String],
    ) -> (Outcome, String) {
        let model = self.model_file(case);
        let model = model.display();
        let (by, sort) = if case.by { ("--by g", "--sort none") } else { ("", "") };
        let prob = if case.prob { "--prob p" } else { "" };
        let weight = if case.weighted { "--weight w" } else { "" };
        // The size of the population would be the sum of the weights.
        let target = "--target sample";
        let arguments = match command {
            "estimate" => {
                format!("estimate --model {model} --test INPUT {by} {sort} {prob} {weight} {target} --format csv")
            }
            "tally" => format!("tally --model {model} --test INPUT {by} {prob} {weight} -o t.tally"),
            "fit" => format!("fit --train INPUT {} -o m.json", methods(cases, case)),
            _ => {
                let train = self.training_file(cases.model_table(case));
                format!("check --train {} --test INPUT {by} {sort} --resamples 99 --format csv", train.display())
            }
        };
        let (first, name) = run(folder, &arguments, file, inputs);
        let outcome = match (first.code, command) {
            (0, "tally") => {
                let finish = format!("finish --model {model} INPUT {sort} {target} --format csv");
                let (finished, _) = run(folder, &finish, "t.tally", &["file".to_owned()]);
                if finished.code == 0 { Ok((finished.stdout, finished.stderr)) } else { Err(finished) }
            }
            (0, "fit") => Ok((fs::read_to_string(folder.join("m.json")).unwrap(), first.stderr)),
            (0, _) => Ok((first.stdout, first.stderr)),
            _ => Err(first),
        };
        for output in ["t.tally", "m.json"] {
            let _ = fs::remove_file(folder.join(output));
        }
        (outcome, name)
    }

    /// Runs each command of a case and returns all deviations from the expected outcome.
    pub fn deviations(&self, cases: &Cases, case: &Case) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        let file = match (&case.file, case.format.as_str()) {
            (Some(name), _) => name,
            (None, "text") => "x.csv",
            (None, "parquet") => "x.parquet",
            (None, "workbook") => "x.xlsx",
            (None, "json lines") => "x.jsonl",
            (None, "json array") => "x.json",
            (None, _) => "x.arrow",
        };
        let bytes = encode::bytes(cases, case);
        fs::write(folder.path().join(file), &bytes).unwrap();
        let mut deviations = Vec::new();
        for command in COMMANDS.into_iter().filter(|command| case.commands.iter().any(|name| name == command)) {
            let (outcome, name) = self.outcome(command, cases, case, folder.path(), file, &case.inputs);
            if let Err(deviation) = self.check_outcome(command, cases, case, &outcome, &name) {
                deviations.push(format!("{command}: {deviation}"));
            }
            let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            if files != [file] || fs::read(folder.path().join(file)).unwrap() != bytes {
                deviations.push(format!("{command}: a file was left behind or changed: {files:?}"));
            }
        }
        deviations
    }

    fn check_outcome(
        &self,
        command: &str,
        cases: &Cases,
        case: &Case,
        outcome: &Outcome,
        name: &str,
    ) -> Result<(), String> {
        let stderr = outcome.as_ref().map_or_else(|run| &run.stderr, |(_, stderr)| stderr);
        if stderr.contains("panicked") || outcome.as_ref().is_err_and(|run| !matches!(run.code, 1 | 2)) {
            return Err(format!("no end, or a panic: {stderr}"));
        }
        let case_error = case.error.as_ref().filter(|_| case.fails_in.iter().any(|other| other == command));
        let table = &cases.tables[&case.table];
        let error = match command {
            "fit" => case.fit.as_ref().or(case_error).or(table.fit.as_ref()),
            "check" => case_error.or(table.check.as_ref()),
            _ => case_error,
        };
        match (error, outcome) {
            (Some(error), Err(run)) => {
                let message = format!("error: {}", error.replace("FILE", name));
                if run.code != case.code || !matches(&message, run.stderr.trim_end()) || !run.stdout.is_empty() {
                    return Err(format!(
                        "code {}, expected {}\n    {}\n    {message}",
                        run.code,
                        case.code,
                        run.stderr.trim_end()
                    ));
                }
                Ok(())
            }
            (Some(error), Ok((answer, _))) => Err(format!("expected the error {error}, got an answer: {answer:.200}")),
            (None, Err(run)) => Err(format!("no answer: {}", run.stderr.trim_end())),
            (None, Ok(answer)) => {
                let Ok(reference) = &self.answers[&key(&plain_case(case))][command] else {
                    return Err("no reference".to_owned());
                };
                compare_answers(command, answer, reference, case, name)
            }
        }
    }

    /// Checks the warnings of the reference answers. Returns all deviations.
    pub fn reference_deviations(&self, cases: &Cases, all: &[Case]) -> Vec<String> {
        let mut deviations = Vec::new();
        for case in all.iter().map(plain_case) {
            let table = &cases.tables[&case.table];
            let answers = &self.answers[&key(&case)];
            match &answers["estimate"] {
                Ok((_, stderr)) => {
                    // Every table has the warning that a plain count is not corrected.
                    let warnings =
                        stderr.lines().filter(|line| !line.contains("does not correct for the classifier's errors"));
                    let warnings = warnings.collect::<Vec<_>>().join("\n");
                    if !matches(table.warning.as_deref().unwrap_or_default(), warnings.trim_end()) {
                        deviations.push(format!("{}: {stderr}", case.table));
                    }
                }
                Err(run) => deviations.push(format!("{}: {}", case.table, run.stderr)),
            }
        }
        deviations.dedup();
        deviations
    }
}

fn methods(cases: &Cases, case: &Case) -> String {
    let with_prob = if case.prob { ",pcc --prob p" } else { "" };
    format!("--cutoff {} --method es,cc{with_prob}", cases.tables[cases.model_table(case)].cutoff)
}

fn cells(text: &str) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.into_records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Compares an answer with the reference: models must be identical, numbers may differ by 1e-12.
fn compare_answers(
    command: &str,
    answer: &(String, String),
    reference: &(String, String),
    case: &Case,
    name: &str,
) -> Result<(), String> {
    let (notes, warnings): (Vec<&str>, Vec<&str>) = answer.1.lines().partition(|line| line.starts_with("note: "));
    let expected: Vec<&str> = reference.1.lines().collect();
    if warnings != expected {
        return Err(format!("warnings are {warnings:?}, expected {expected:?}"));
    }
    // The warnings of `tally` are those of `finish`, and `fit` does not read the groups.
    let expected = case.note.as_deref().unwrap_or_default().replace("FILE", name);
    let is_optional = notes.is_empty() && ["tally", "fit"].contains(&command);
    if !is_optional && !matches(&expected, &notes.join("\n")) {
        return Err(format!("notes are {notes:?}, expected '{expected}'"));
    }
    if command == "fit" {
        return if answer.0 == reference.0 { Ok(()) } else { Err("another model".to_owned()) };
    }
    let output_group = |name: &String| {
        let input = case.cells.get("g").and_then(|replacements| replacements.get(name)).unwrap_or(name);
        case.output_groups.get(input).unwrap_or(input).clone()
    };
    let (rows, mut expected) = (cells(&answer.0), cells(&reference.0));
    if case.by {
        expected.iter_mut().skip(1).for_each(|row| row[0] = output_group(&row[0]));
    }
    if rows.len() != expected.len() {
        return Err(format!("{} rows, expected {}: {rows:?}", rows.len(), expected.len()));
    }
    for (row, expected) in rows.iter().zip(&expected) {
        let differs = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
            _ if a == b => false,
            (Ok(a), Ok(b)) => (a - b).abs() > 1e-12 * b.abs().max(1.0),
            _ => true,
        };
        let key = usize::from(case.by);
        if row.len() != expected.len()
            || row[..key] != expected[..key]
            || row[key..].iter().zip(&expected[key..]).any(differs)
        {
            return Err(format!("{row:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// Returns whether a text matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => {
            let Some(text) = text.strip_prefix(start) else { return false };
            (0..=text.len()).any(|at| text.is_char_boundary(at) && matches(rest, &text[at..]))
        }
    }
}
