//! What the command answers through each of its doors, for a case and for the same values written plainly.

use super::given::{Run, run};
use super::table::{Case, Cases};
use super::written;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What a door says: an answer and what is said beside it, or an error.
type Said = Result<(String, String), Run>;

/// The answers to a table written plainly, in a folder that holds the models too.
pub struct References {
    folder: TempDir,
    answers: BTreeMap<String, BTreeMap<&'static str, Said>>,
}

const DOORS: [&str; 4] = ["estimate", "tally", "fit", "check"];

/// A case's values, without how they are written and given.
fn plainly(case: &Case) -> Case {
    let Case { table, prob, weighted, by, given, .. } = case;
    Case {
        table: table.clone(),
        prob: *prob,
        weighted: *weighted,
        by: *by,
        given: vec!["file".to_owned(); given.len()],
        ..Case::default()
    }
}

fn key(case: &Case) -> String {
    format!("{}-{}-{}-{}-{}", case.table.replace(' ', "-"), case.given.len(), case.by, case.prob, case.weighted)
}

impl References {
    pub fn new(cases: &Cases, all: &[Case]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut references = Self { folder, answers: BTreeMap::new() };
        for name in cases.tables.keys() {
            let case = Case { table: name.clone(), ..Case::default() };
            fs::write(references.labelled(name), written::bytes(cases, &case)).unwrap();
        }
        for case in all.iter().map(plainly).collect::<Vec<_>>() {
            let key = key(&case);
            if references.answers.contains_key(&key) {
                continue;
            }
            references.learn(cases, &case);
            let answers = references.answered(cases, &case, &key);
            references.answers.insert(key, answers);
        }
        references
    }

    /// The table as text, to learn from.
    fn labelled(&self, table: &str) -> PathBuf {
        self.folder.path().join(format!("{}.csv", table.replace(' ', "-")))
    }

    fn model(&self, case: &Case) -> PathBuf {
        self.folder.path().join(format!("{}-{}.json", case.table.replace(' ', "-"), case.prob))
    }

    /// The model for a table.
    fn learn(&self, cases: &Cases, case: &Case) {
        let of = cases.tables[&case.table].model.as_ref().unwrap_or(&case.table);
        let fit = format!("fit --train INPUT {} -o {}", methods(cases, case), self.model(case).display());
        let labelled = self.labelled(of).file_name().unwrap().to_str().unwrap().to_owned();
        let (run, _) = run(self.folder.path(), &fit, &labelled, &["file".to_owned()]);
        assert_eq!(run.code, 0, "{}: {}", case.table, run.stderr);
    }

    fn answered(&self, cases: &Cases, case: &Case, key: &str) -> BTreeMap<&'static str, Said> {
        let folder = TempDir::new_in(self.folder.path()).unwrap();
        let file = format!("{key}.csv");
        let bytes = written::bytes(cases, case);
        let (header, rows) = bytes.split_at(bytes.iter().position(|b| *b == b'\n').unwrap() + 1);
        fs::write(folder.path().join(&file), [header, &rows.repeat(case.given.len())].concat()).unwrap();
        let once = ["file".to_owned()];
        DOORS.map(|door| (door, self.said(door, cases, case, folder.path(), &file, &once).0)).into()
    }

    /// What a door says about the input, and what it calls it.
    fn said(
        &self,
        door: &str,
        cases: &Cases,
        case: &Case,
        folder: &Path,
        file: &str,
        given: &[String],
    ) -> (Said, String) {
        let model = self.model(case);
        let model = model.display();
        let (by, sort) = if case.by { ("--by g", "--sort none") } else { ("", "") };
        let prob = if case.prob { "--prob p" } else { "" };
        let weight = if case.weighted { "--weight w" } else { "" };
        let typed = match door {
            "estimate" => format!("estimate --model {model} --test INPUT {by} {sort} {prob} {weight} --format csv"),
            "tally" => format!("tally --model {model} --test INPUT {by} {prob} {weight} -o t.tally"),
            "fit" => format!("fit --train INPUT {} -o m.json", methods(cases, case)),
            _ => {
                let train = self.labelled(cases.tables[&case.table].model.as_ref().unwrap_or(&case.table));
                format!("check --train {} --test INPUT {by} {sort} --resamples 99 --format csv", train.display())
            }
        };
        let (done, called) = run(folder, &typed, file, given);
        let said = match (done.code, door) {
            (0, "tally") => {
                let finish = format!("finish --model {model} INPUT {sort} --format csv");
                let (finished, _) = run(folder, &finish, "t.tally", &["file".to_owned()]);
                if finished.code == 0 { Ok((finished.stdout, finished.stderr)) } else { Err(finished) }
            }
            (0, "fit") => Ok((fs::read_to_string(folder.join("m.json")).unwrap(), done.stderr)),
            (0, _) => Ok((done.stdout, done.stderr)),
            _ => Err(done),
        };
        for made in ["t.tally", "m.json"] {
            let _ = fs::remove_file(folder.join(made));
        }
        (said, called)
    }

    /// Everything that is not as it should be.
    pub fn wrong(&self, cases: &Cases, case: &Case) -> Vec<String> {
        let folder = TempDir::new().unwrap();
        let file = match (&case.file, case.format.as_str()) {
            (Some(called), _) => called,
            (None, "text") => "x.csv",
            (None, "parquet") => "x.parquet",
            (None, "workbook") => "x.xlsx",
            (None, "json lines") => "x.jsonl",
            (None, "json array") => "x.json",
            (None, _) => "x.arrow",
        };
        let bytes = written::bytes(cases, case);
        fs::write(folder.path().join(file), &bytes).unwrap();
        let mut wrong = Vec::new();
        for door in DOORS.into_iter().filter(|door| case.doors.iter().any(|asked| asked == door)) {
            let (said, called) = self.said(door, cases, case, folder.path(), file, &case.given);
            if let Err(fault) = self.expected(door, cases, case, &said, &called) {
                wrong.push(format!("{door}: {fault}"));
            }
            let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            if left != [file] || fs::read(folder.path().join(file)).unwrap() != bytes {
                wrong.push(format!("{door}: left behind or changed: {left:?}"));
            }
        }
        wrong
    }

    fn expected(&self, door: &str, cases: &Cases, case: &Case, said: &Said, called: &str) -> Result<(), String> {
        let stderr = said.as_ref().map_or_else(|run| &run.stderr, |(_, stderr)| stderr);
        if stderr.contains("panicked") || said.as_ref().is_err_and(|run| !matches!(run.code, 1 | 2)) {
            return Err(format!("no end, or a panic: {stderr}"));
        }
        let of_case = case.error.as_ref().filter(|_| case.wrong_for.iter().any(|wrong| wrong == door));
        let table = &cases.tables[&case.table];
        let error = match door {
            "fit" => case.fit.as_ref().or(of_case).or(table.fit.as_ref()),
            "check" => of_case.or(table.check.as_ref()),
            _ => of_case,
        };
        match (error, said) {
            (Some(error), Err(run)) => {
                let message = format!("error: {}", error.replace("FILE", called));
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
            (Some(error), Ok((answer, _))) => Err(format!("an answer, and not the error {error}: {answer:.200}")),
            (None, Err(run)) => Err(format!("no answer: {}", run.stderr.trim_end())),
            (None, Ok(answer)) => {
                let Ok(reference) = &self.answers[&key(&plainly(case))][door] else {
                    return Err("no reference".to_owned());
                };
                same(door, answer, reference, case)
            }
        }
    }

    /// What the tables promise of their plain answers, and what these are by definition.
    pub fn promised(&self, cases: &Cases, all: &[Case]) -> Vec<String> {
        let mut wrong = Vec::new();
        for case in all.iter().map(plainly) {
            let table = &cases.tables[&case.table];
            let answers = &self.answers[&key(&case)];
            match &answers["estimate"] {
                Ok((answer, stderr)) => {
                    // That a plain count is not corrected is said of every table.
                    let said =
                        stderr.lines().filter(|line| !line.contains("not corrected for the classifier's errors"));
                    let said = said.collect::<Vec<_>>().join("\n");
                    if !matches(table.warning.as_deref().unwrap_or_default(), said.trim_end()) {
                        wrong.push(format!("{}: {stderr}", case.table));
                    }
                    wrong.extend(counted(cases, &case, answer).err().map(|fault| format!("{}: {fault}", case.table)));
                }
                Err(run) => wrong.push(format!("{}: {}", case.table, run.stderr)),
            }
        }
        wrong.dedup();
        wrong
    }
}

fn methods(cases: &Cases, case: &Case) -> String {
    let more = if case.prob { ",pcc --prob p" } else { "" };
    let table = cases.tables[&case.table].model.as_ref().unwrap_or(&case.table);
    format!("--cutoff {} --method es,cc{more}", cases.tables[table].cutoff)
}

/// Classify & Count is the share of scores from the cutoff up, and PCC the mean probability: of each group, in its order.
fn counted(cases: &Cases, case: &Case, answer: &str) -> Result<(), String> {
    let table = &cases.tables[&case.table];
    let model = table.model.as_ref().unwrap_or(&case.table);
    let cutoff: f64 = cases.tables[model].cutoff.parse().unwrap();
    let mut groups: Vec<(&str, f64, [f64; 3])> = Vec::new();
    for row in &table.rows {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |column: usize| cells[column].parse::<f64>().unwrap();
        let group = if case.by { cells[2] } else { "" };
        let w = if case.weighted { number(4) } else { 1.0 };
        let place = groups.iter().position(|(known, ..)| *known == group).unwrap_or_else(|| {
            groups.push((group, 0.0, [0.0; 3]));
            groups.len() - 1
        });
        let (_, n, sums) = &mut groups[place];
        *n += f64::from(u8::from(w > 0.0));
        for (sum, more) in sums.iter_mut().zip([w, if number(0) >= cutoff { w } else { 0.0 }, w * number(3)]) {
            *sum += more;
        }
    }
    let found = cells(answer);
    let (header, by) = (&found[0], usize::from(case.by));
    let column = |name: &str| header.iter().position(|known| known == name).unwrap();
    for (place, method) in [(1, "cc"), (2, "pcc")] {
        let rows: Vec<_> = found[1..].iter().filter(|row| row[by] == method).collect();
        if rows.is_empty() && method == "pcc" && !case.prob {
            continue;
        }
        if rows.len() != groups.len() {
            return Err(format!("{} groups, and not {}", rows.len(), groups.len()));
        }
        for (row, (group, n, sums)) in rows.iter().zip(&groups) {
            let [n_found, share] = [column("n"), column("raw")].map(|at| row[at].parse::<f64>().unwrap());
            let expected = (*n * case.given.len() as f64, sums[place] / sums[0]);
            if (case.by && row[0] != *group) || n_found != expected.0 || (share - expected.1).abs() > 1e-12 {
                return Err(format!("{method} of '{group}': {row:?}, and not {expected:?}"));
            }
        }
    }
    Ok(())
}

fn cells(text: &str) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.into_records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The answers are those of the reference, to 1e-12; models to the last letter.
fn same(door: &str, answer: &(String, String), reference: &(String, String), case: &Case) -> Result<(), String> {
    if answer.1 != reference.1 {
        return Err(format!("said '{}', and not '{}'", answer.1.trim_end(), reference.1.trim_end()));
    }
    if door == "fit" {
        return if answer.0 == reference.0 { Ok(()) } else { Err("another model".to_owned()) };
    }
    let group = |name: &String| {
        let written = case.cells.get("g").and_then(|others| others.get(name)).unwrap_or(name);
        case.found.get(written).unwrap_or(written).clone()
    };
    let (found, mut expected) = (cells(&answer.0), cells(&reference.0));
    if case.by {
        expected.iter_mut().skip(1).for_each(|row| row[0] = group(&row[0]));
    }
    if found.len() != expected.len() {
        return Err(format!("{} rows, and not {}: {found:?}", found.len(), expected.len()));
    }
    for (row, right) in found.iter().zip(&expected) {
        let differs = |(a, b): (&String, &String)| match (a.parse::<f64>(), b.parse::<f64>()) {
            _ if a == b => false,
            (Ok(a), Ok(b)) => (a - b).abs() > 1e-12 * b.abs().max(1.0),
            _ => true,
        };
        let key = usize::from(case.by);
        if row.len() != right.len() || row[..key] != right[..key] || row[key..].iter().zip(&right[key..]).any(differs) {
            return Err(format!("{row:?}, and not {right:?}"));
        }
    }
    Ok(())
}

/// Whether a message is as expected, where `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => {
            let Some(text) = text.strip_prefix(start) else { return false };
            (0..=text.len()).any(|at| text.is_char_boundary(at) && matches(rest, &text[at..]))
        }
    }
}
