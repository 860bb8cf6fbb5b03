//! `truecount estimate`: the prevalence among unlabelled scores, in all or by group.

use crate::audit;
use crate::failure::CliError;
use crate::groups::GroupRequest;
use crate::models::{model_for, test_files};
use crate::options::{AuditSampleArgs, Estimated, SortArgs, StrataArgs, TotalArgs, reference};
use crate::output::{self, Answer, FileRoles, Output};
use crate::parallel;
use crate::strata;
use std::path::{Path, PathBuf};
use truecount_analysis::compare::ReferenceOption;
use truecount_analysis::results::{EstimateRow, EvidenceRow, ON_REQUEST, describe_table};
use truecount_tables::input;

/// Reads the test scores in one pass and prints one line per group and method, groups in their own order: dates by time,
/// numbers by size, texts by their letters, what is missing last.
#[derive(clap::Args)]
pub struct EstimateArgs {
    #[command(flatten)]
    pub estimated: Estimated,
    #[command(flatten)]
    pub strata: StrataArgs,
    #[command(flatten)]
    pub totals: TotalArgs,
    /// Add differences between groups [default: previous or total]
    ///
    /// From the group before (previous), from all rows (total), from the other groups (rest),
    /// between all pairs (all), or from the group with this value of the last --by column.
    #[arg(long, value_name = "REFERENCE", num_args = 0..=1, default_missing_value = "", value_parser = reference)]
    compare: Option<ReferenceOption>,
    /// Additional columns
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = ON_REQUEST)]
    columns: Vec<String>,
    #[command(flatten)]
    pub audited: AuditSampleArgs,
    #[command(flatten)]
    pub sorted: SortArgs,
    #[command(flatten)]
    pub output: Output,
}

impl EstimateArgs {
    /// The columns on request that are shown.
    fn shown(&self) -> Vec<&str> {
        let weighted = self.estimated.tested.weight.as_ref().map(|_| ON_REQUEST[0]);
        weighted.into_iter().chain(self.columns.iter().map(String::as_str)).collect()
    }
}

pub fn run(args: &EstimateArgs) -> Result<(), CliError> {
    if let Some(path) = &args.audited.audit {
        return beside(args, path);
    }
    let tested = &args.estimated.tested;
    let reporting = args.estimated.reporting()?;
    let resampling = args.estimated.resampling()?;
    let form = args.output.form()?;
    output::check_by(&tested.by, form, &output::columns(&args.shown()))?;
    let sort = args.sorted.sort::<EstimateRow>(&tested.by)?;
    let compared = args.compare.is_some();
    match resampling {
        Some(_) => args.totals.check_bootstrap(&tested.by, compared, &args.strata)?,
        None => args.totals.check(&tested.by, compared, &reporting, &args.strata)?,
    }
    let paths = input::files(&tested.test)?;
    let inputs = tested.source.path().into_iter().chain(&paths).chain(args.totals.paths());
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let request = GroupRequest { totals: &args.totals, reference: args.compare.as_ref(), reporting: &reporting };
    let pool = parallel::pool(tested.threads)?;
    let print = |answer: Answer| {
        let answer = answer.showing(&args.shown()).sorted(&sort);
        output::print_with_warnings(&args.output.shown(answer.results(), form), form, args.output.file())
    };
    if let Some(stratum) = &args.strata.stratum {
        return pool.install(|| {
            let found = strata::estimate(tested, &paths, (stratum, args.strata.small_strata), &request)?;
            print(Answer::new_stratified(found, stratum))
        });
    }
    let model = model_for(tested, &paths)?;
    let files = test_files(tested, &paths, tested.columns.get().for_model(&model));
    pool.install(|| {
        let found = match &resampling {
            None => request.estimate(&files, &model)?,
            Some(resampling) => request.resample(&files, &model, resampling)?,
        };
        print(Answer::new(&model, found, resampling.map(|resampling| resampling.resamples)))
    })
}

/// What audited rows say beside the labelled ones.
fn beside(args: &EstimateArgs, audit: &Path) -> Result<(), CliError> {
    let tested = &args.estimated.tested;
    let others = [
        ("--stratum", args.strata.stratum.is_some()),
        ("--weight", tested.weight.is_some()),
        ("--columns", !args.columns.is_empty()),
        ("--interval bootstrap", args.estimated.resampling()?.is_some()),
        (
            "--total, --total-weights, --population, --cluster and --compare",
            !args.totals.is_empty() || args.compare.is_some(),
        ),
    ];
    if let Some((option, _)) = others.iter().find(|(_, given)| *given) {
        return Err(CliError::Usage(format!("{option} and --audit do not go together: leave out one of them")));
    }
    let (form, reporting) = (args.output.form()?, args.estimated.reporting()?);
    output::check_by(&tested.by, form, &describe_table::<EvidenceRow>().columns)?;
    let sort = args.sorted.sort::<EvidenceRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    let inputs: Vec<&PathBuf> = tested.source.path().into_iter().chain(&args.audited.audit).chain(&paths).collect();
    input::once_each(inputs.iter().copied())?;
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let pool = parallel::pool(tested.threads)?;
    let model = model_for(tested, &paths)?;
    let columns = tested.columns.get();
    let labelled = &tested.source.train.labelled;
    let asked = audit::AuditRequest {
        elsewhere: Some(model),
        file: args.audited.file(audit, columns, (&labelled.label, &labelled.positive), &tested.by),
        audit_outside_test: args.audited.audit_outside_test,
        reporting: &reporting,
    };
    pool.install(|| {
        asked.print(|model| test_files(tested, &paths, columns.for_model(model)), &sort, form, args.output.file())
    })
}
