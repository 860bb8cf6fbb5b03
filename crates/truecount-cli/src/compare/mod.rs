//! `truecount compare`: how far prevalences are apart.

mod args;

pub use args::Compare;

use crate::failure::Failure;
use crate::models::{model, model_for, test_files};
use crate::options::{Source, Summed, Tested};
use crate::output::{self, Answer, Differences, Files, Whole, say};
use crate::parallel;
use crate::whole::{Asked, Asking, methods};
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::{Estimate, Estimates, Labelled, Method, Model, Overlap, Reporting, Together};
use truecount_analysis::compared::Reference;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{DifferenceRow, described, visible};
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::input;

pub fn run(args: &Compare) -> Result<(), Failure> {
    let tested = &args.tested;
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    output::check_by(&tested.by, form, &described::<DifferenceRow>().columns)?;
    let sort = args.sorted.of::<DifferenceRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    let others = input::files(&args.other_test)?;
    let inputs = args.inputs().chain(&paths).chain(&others);
    Files::reading(inputs).writing("--output", args.output.file()).check()?;
    let pool = parallel::pool(tested.threads)?;
    let asked = Asked { summed: &args.summed, against: Some(args.against.as_ref().unwrap_or(&Reference::Usual)) };
    if let Some(stratum) = &args.strata.stratum {
        if args.has_other() {
            return Err(Failure::Usage("--stratum compares groups: leave out the --other- options".to_owned()));
        }
        return pool.install(|| {
            let whole = Asking::new(tested, stratum, args.strata.few)?.estimate(&paths, &asked, &reporting)?;
            let answer = Answer::in_strata(whole, stratum)?.only_differences();
            answer.sorted_differences(&sort).print(form, args.output.file())
        });
    }
    let model = model_for(tested, &paths)?;
    pool.install(|| {
        let found = if args.has_other() {
            let other = Second::new(args, &model, &paths, &others)?;
            other.differences(tested, &paths, &model, &reporting)?
        } else if args.against.is_some() || !tested.by.is_empty() && model.quantifiers().len() == 1 {
            let source = test_files(tested, &paths, tested.columns.get().of_tests(&model));
            asked.estimate(&source, &model, &reporting)?
        } else if model.quantifiers().len() > 1 {
            of_methods(tested, &paths, &model, &reporting)?
        } else {
            return Err(Failure::Usage(
                "there is nothing to compare with: name groups with --by, other scores with --other-test, another \
                 classifier's with --other-score, or several methods with --method"
                    .to_owned(),
            ));
        };
        let answer = Answer::new(&model, found, None)?.only_differences();
        answer.sorted_differences(&sort).print(form, args.output.file())
    })
}

/// Every method beside the first one, on the same scores.
fn of_methods(tested: &Tested, paths: &[PathBuf], model: &Model, reporting: &Reporting) -> Result<Whole, Failure> {
    let source = test_files(tested, paths, tested.columns.get().of_tests(model));
    let groups = source.estimated(model, reporting)?;
    let first = methods(model).next().expect("a method at least");
    let mut rows = Vec::new();
    for method in methods(model).skip(1) {
        let together = Together::of_two([(model, method), (model, first)], Labelled::Paired)?;
        for (group, estimates) in groups.contents.iter().enumerate() {
            let [of, other] = [method, first].map(|method| by(estimates, method));
            let found = together.difference(of, other, Overlap::All, reporting)?;
            rows.push(DifferenceRow::new(group, first.to_string(), of, other.prevalence, found));
        }
    }
    DifferenceRow::adjust(&mut rows);
    let title = format!("Differences from {first} on the same scores");
    Ok(Whole { differences: Some(Differences { rows, title, against: false }), ..Whole::of(groups) })
}

/// What the scores of --test are compared with.
struct Second<'a> {
    args: &'a Compare,
    paths: &'a [PathBuf],
    /// Its own model, if it is not that of the first.
    model: Option<Model>,
    labelled: Labelled,
    overlap: Overlap,
    name: String,
}

impl<'a> Second<'a> {
    fn new(args: &'a Compare, first: &Model, paths: &'a [PathBuf], others: &'a [PathBuf]) -> Result<Self, Failure> {
        let Compare { other_score, other_train, other_model, tested, .. } = args;
        let Summed { total, total_weights, population, cluster } = &args.summed;
        if *total || total_weights.is_some() || population.is_some() || cluster.is_some() {
            return Err(Failure::Usage(
                "--total, --total-weights, --population and --cluster are for groups (--against)".to_owned(),
            ));
        }
        let named = |path: &PathBuf| Some(path.clone());
        let columns = tested.columns.of_other(other_score.as_deref());
        let (other, labelled) = match (other_train, other_model, other_score) {
            (Some(path), ..) => (Some(tested.source.with(named(path), None)), Labelled::Apart),
            (None, Some(path), _) => (Some(tested.source.with(None, named(path))), Labelled::Apart),
            (None, None, Some(_)) if tested.source.model.is_some() => {
                return Err(Failure::Usage(
                    "--other-score needs the labelled scores: give --train instead of --model, or --other-model"
                        .to_owned(),
                ));
            }
            (None, None, Some(_)) => {
                (Some(tested.source.with(tested.source.train.labelled.path.clone(), None)), Labelled::Paired)
            }
            (None, None, None) => (None, Labelled::Paired),
        };
        let own = |source: Source| model(&source, first.settings(), &columns);
        let overlap = if others.is_empty() { Overlap::All } else { Overlap::None };
        let name = match (others, other_score) {
            ([], Some(column)) => column.clone(),
            ([], None) => "other".to_owned(),
            (others, _) => input::title(others),
        };
        let paths = if others.is_empty() { paths } else { others };
        Ok(Self { args, paths, model: other.map(own).transpose()?, labelled, overlap, name })
    }

    fn differences(
        &self,
        tested: &Tested,
        paths: &[PathBuf],
        model: &Model,
        reporting: &Reporting,
    ) -> Result<Whole, Failure> {
        let second = self.model.as_ref().unwrap_or(model);
        let columns = tested.columns.get().of_tests(model);
        let groups = test_files(tested, paths, columns).estimated(model, reporting)?;
        let columns = tested.columns.of_other(self.args.other_score.as_deref()).of_tests(second);
        let others = test_files(tested, self.paths, columns).estimated(second, reporting)?;
        let pairs = self.pairs(&groups, &others)?;
        let mut rows = Vec::new();
        for method in methods(model) {
            let together = match &self.model {
                None => Together::of(model, method)?,
                Some(second) => Together::of_two([(model, method), (second, method)], self.labelled)?,
            };
            for (group, other) in &pairs {
                let (of, other) = (by(&groups.contents[*group], method), by(&others.contents[*other], method));
                let found = together.difference(of, other, self.overlap, reporting)?;
                rows.push(DifferenceRow::new(*group, self.name.clone(), of, other.prevalence, found));
            }
        }
        DifferenceRow::adjust(&mut rows);
        let title = format!("Differences from {}", visible(&self.name));
        // What is to be said of the others is said here, as their estimates go no further.
        Answer::new(second, Whole::of(others), None)?
            .warnings()
            .iter()
            .for_each(|warning| output::say_wrapped(warning));
        Ok(Whole { differences: Some(Differences { rows, title, against: false }), ..Whole::of(groups) })
    }

    /// The groups of the first that the second has too; the others are told of.
    fn pairs(&self, groups: &Groups<Estimates>, others: &Groups<Estimates>) -> Result<Vec<(usize, usize)>, Failure> {
        let named = |keys: &Keys| -> Vec<Vec<String>> {
            let texts = keys.texts();
            (0..keys.number()).map(|group| texts.of(group).collect()).collect()
        };
        let mut known: HashMap<Vec<String>, usize> =
            named(&others.keys).into_iter().enumerate().map(|(group, name)| (name, group)).collect();
        let left_out = |name: &[String], file: &str| {
            say(&format!("warning: left out, '{}' is only in {}", visible(&name.join(", ")), visible(file)));
        };
        let mut pairs = Vec::new();
        for (group, name) in named(&groups.keys).into_iter().enumerate() {
            match known.remove(&name) {
                Some(other) => pairs.push((group, other)),
                None => left_out(&name, &input::title(&self.args.tested.test)),
            }
        }
        let mut rest: Vec<Vec<String>> = known.into_keys().collect();
        rest.sort_unstable();
        for name in &rest {
            left_out(name, &self.name);
        }
        if pairs.is_empty() {
            return Err(Failure::Data(format!("{}: has none of the groups", self.name)));
        }
        Ok(pairs)
    }
}

fn by(estimates: &Estimates, method: Method) -> &Estimate {
    estimates.of(method).expect("an estimate by every method")
}
