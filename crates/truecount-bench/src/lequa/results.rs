//! The folder with the results, and the table of errors in the competition's ranking order.

use super::folder::CompetitionFolder;
use crate::shared::{
    CliError, Evaluation, FIGURES, FileRoles, MethodErrors, MethodEstimates, Note, OutputFormat, SampleEstimates,
    SampleTruth, all_digits, evaluation, figures, print, print_message, warn, whole_file, write_estimates,
};
use std::fs;
use std::path::{Path, PathBuf};
use truecount::evaluation::Measure;
use truecount::{Estimates, Method, Model};

const SCORES: &str = "train_scores.csv";
const ESTIMATES: &str = "estimates.csv";

pub struct ResultFolder(PathBuf);

impl ResultFolder {
    /// Creates the folder if necessary, and checks that it is writable before the long work begins.
    ///
    /// # Errors
    /// Returns an error if the folder has results of another run that this run would not replace.
    pub fn open(path: &Path, methods: &[Method], folder: &CompetitionFolder) -> Result<Self, CliError> {
        let mut outputs: Vec<String> = methods.iter().map(predictions_file).collect();
        outputs.push(SCORES.to_owned());
        if folder.truths.is_some() {
            outputs.push(ESTIMATES.to_owned());
            outputs.extend(FIGURES.map(str::to_owned));
        }
        let inputs = [&folder.training, &folder.prevalences].into_iter().chain(folder.samples.values());
        FileRoles::reading(inputs).filling("--output", Some(path), &outputs).check()?;
        for entry in fs::read_dir(path).map_err(CliError::at(path.display()))? {
            let name = entry.map_err(CliError::at(path.display()))?.file_name().to_string_lossy().into_owned();
            let is_result = name == ESTIMATES || name.starts_with("predictions-");
            if is_result && !outputs.contains(&name) {
                return Err(CliError::Data(format!(
                    "{}: holds {name} of another run, which this one would not replace; name another folder, or empty \
                     it",
                    path.display()
                ).into()));
            }
        }
        Ok(Self(path.to_owned()))
    }

    /// Writes the labelled scores that the model is fitted to, in the order of the training data.
    pub fn training_scores(&self, scores: &[f64], probabilities: &[f64], positive: &[bool]) -> Result<(), CliError> {
        let rows = scores.iter().zip(probabilities).zip(positive);
        let cells =
            rows.map(|((score, p), positive)| [all_digits(*score), all_digits(*p), u8::from(*positive).to_string()]);
        self.table(SCORES, ["score", "probability", "label"], cells)
    }

    /// Writes every method's predictions; if the true prevalences are known, also a table of all
    /// estimates, the errors and the figures.
    pub fn estimates(
        &self,
        folder: &CompetitionFolder,
        model: &Model,
        estimates: &[Estimates],
    ) -> Result<(), CliError> {
        for (i, quantifier) in model.quantifiers().iter().enumerate() {
            let shares = estimates.iter().map(|sample| sample[i].prevalence);
            let row = |(id, share): (&u64, f64)| [id.to_string(), all_digits(1.0 - share), all_digits(share)];
            self.table(
                &predictions_file(&quantifier.method()),
                ["id", "0", "1"],
                folder.samples.keys().zip(shares).map(row),
            )?;
        }
        warn(model, folder.samples.keys(), estimates);
        let Some(truths) = &folder.truths else {
            print_message(&format!("predictions only: there is no {}", folder.prevalences.display()));
            return Ok(());
        };
        self.evaluate(folder, truths, model, estimates)
    }

    /// Writes a table of all estimates, prints the errors, and draws the figures.
    fn evaluate(
        &self,
        folder: &CompetitionFolder,
        truths: &[f64],
        model: &Model,
        estimates: &[Estimates],
    ) -> Result<(), CliError> {
        let sample = |((id, truth), estimates): ((&u64, &f64), &Estimates)| SampleTruth {
            id: id.to_string(),
            n: estimates.first().map(|estimate| estimate.n),
            truth: *truth,
        };
        let evaluated = SampleEstimates {
            samples: folder.samples.keys().zip(truths).zip(estimates).map(sample).collect(),
            methods: MethodEstimates::for_model(model, &estimates.iter().collect::<Vec<_>>()),
            design: None,
            checks: None,
        };
        let path = self.0.join(ESTIMATES);
        write_estimates(&evaluated, &path)?;
        print_message(&format!("wrote {}", path.display()));
        // Kloos et al. compare the other methods with O-CS.
        let o_cs = Method::O_CS.to_string();
        let reference = evaluated.methods.iter().any(|method| method.name == o_cs).then_some(o_cs.as_str());
        print_ranked(evaluation(&evaluated, reference)?)?;
        figures(&evaluated, reference, &self.0)
    }

    fn table<const N: usize>(
        &self,
        name: &str,
        header: [&str; N],
        rows: impl Iterator<Item = [String; N]>,
    ) -> Result<(), CliError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header).expect("memory has room");
        rows.for_each(|row| writer.write_record(row).expect("memory has room"));
        let path = self.0.join(name);
        whole_file::write(&path, &writer.into_inner().expect("memory has room"))?;
        print_message(&format!("wrote {}", path.display()));
        Ok(())
    }
}

/// Prints the errors in the ranking order of both editions, which is by RAE: in 2022 for all tasks,
/// in 2024 for all tasks except T3.
fn print_ranked(mut evaluation: Evaluation) -> Result<(), CliError> {
    let rae =
        |errors: &MethodErrors| errors.mean(Measure::RelativeAbsoluteError).map_or(f64::INFINITY, |mean| mean.value);
    evaluation.methods.sort_by(|a, b| rae(a).total_cmp(&rae(b)));
    let mut results = evaluation.results();
    results.notes.insert(0, Note::new("ranked by RAE, the official measure of LeQua's binary tasks"));
    print(&results, OutputFormat::Table, None)
}

/// Returns the name of the file with a method's predictions.
fn predictions_file(method: &Method) -> String {
    format!("predictions-{method}.csv")
}
