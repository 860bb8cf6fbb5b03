//! `truecount estimate`: the prevalence among unlabelled scores, overall or by group.

use crate::audit;
use crate::error::CliError;
use crate::groups::GroupRequest;
use crate::models::{model_for, test_files};
use crate::options::{
    AuditColumns, AuditSampleArgs, EquivalenceArgs, EstimationArgs, SortArgs, StrataArgs, TotalArgs, reference,
};
use crate::output::{self, CommandEstimates, FileRoles, OutputArgs};
use crate::parallel;
use crate::strata;
use std::path::{Path, PathBuf};
use truecount_analysis::compare::ReferenceOption;
use truecount_analysis::results::{EstimateRow, EvidenceRow, OPTIONAL_COLUMNS, describe_table};
use truecount_tables::input;

/// Reads the test scores in one pass and prints one line per group and method, groups in their own
/// order: dates by time, numbers by size, texts by their letters, what is missing last.
#[derive(clap::Args)]
pub struct EstimateArgs {
    #[command(flatten)]
    pub estimation: EstimationArgs,
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
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = OPTIONAL_COLUMNS)]
    columns: Vec<String>,
    #[command(flatten)]
    pub audit_sample: AuditSampleArgs,
    #[command(flatten)]
    pub equivalence: EquivalenceArgs,
    #[command(flatten)]
    pub sort_args: SortArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl EstimateArgs {
    /// Returns the optional columns to show: the effective sample size if rows have weights, and
    /// the columns of `--columns`.
    fn optional_columns(&self) -> Vec<&str> {
        let effective_n = self.estimation.test_args.weight.as_ref().map(|_| OPTIONAL_COLUMNS[0]);
        effective_n.into_iter().chain(self.columns.iter().map(String::as_str)).collect()
    }
}

pub fn run(args: &EstimateArgs) -> Result<(), CliError> {
    if let Some(path) = &args.audit_sample.audit {
        return estimate_with_audit(args, path);
    }
    let test_args = &args.estimation.test_args;
    let interval_options = args.totals.with_implied_target(args.estimation.interval_options()?);
    let resampling = args.estimation.resampling()?;
    let format = args.output.format()?;
    output::check_by(&test_args.by, format, &output::columns(&args.optional_columns()))?;
    let sort = args.sort_args.sort::<EstimateRow>(&test_args.by)?;
    let compared = args.compare.is_some();
    match resampling {
        Some(_) => args.totals.check_bootstrap(&test_args.by, compared, &args.strata)?,
        None => args.totals.check(&test_args.by, compared, &args.strata)?,
    }
    let paths = input::expand_patterns(&test_args.test)?;
    let inputs = test_args.source.path().into_iter().chain(&paths).chain(args.totals.paths());
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let request =
        GroupRequest { totals: &args.totals, reference: args.compare.as_ref(), interval_options: &interval_options };
    let pool = parallel::pool(test_args.threads)?;
    let print = |output: CommandEstimates| {
        let output = output.showing(&args.optional_columns()).sorted(&sort);
        output::print_with_warnings(&args.output.shown(output.results(), format), format, args.output.file())
    };
    if let Some(stratum) = &args.strata.model_stratum {
        return pool.install(|| {
            let estimates = strata::estimate(test_args, &paths, (stratum, args.strata.small_strata), &request)?;
            print(CommandEstimates::new_stratified(estimates, stratum))
        });
    }
    let model = model_for(test_args, &paths)?;
    let files = test_files(test_args, &paths, test_args.columns.get().for_model(&model));
    pool.install(|| {
        let estimates = match &resampling {
            None => request.estimate(&files, &model)?,
            Some(resampling) => request.resample(&files, &model, resampling)?,
        };
        print(CommandEstimates::new(&model, estimates, resampling.map(|resampling| resampling.resamples)))
    })
}

/// Estimates from the labelled rows, the audited rows, and both.
fn estimate_with_audit(args: &EstimateArgs, audit: &Path) -> Result<(), CliError> {
    let test_args = &args.estimation.test_args;
    test_args.every.reject_with("--audit", "add a column with the periods to both tables, and name it in --by")?;
    let incompatible = [
        ("--model-stratum", args.strata.model_stratum.is_some()),
        ("--weight", test_args.weight.is_some()),
        ("--columns", !args.columns.is_empty()),
        ("--interval bootstrap", args.estimation.resampling()?.is_some()),
        (
            "--total, --total-weights, --population, --cluster, --stratum, --replicates and --compare",
            !args.totals.is_empty() || args.compare.is_some(),
        ),
    ];
    if let Some((option, _)) = incompatible.iter().find(|(_, is_present)| *is_present) {
        return Err(CliError::usage(format!("{option} cannot be used with --audit"), "leave out one of them"));
    }
    let (format, interval_options) = (args.output.format()?, args.estimation.interval_options()?);
    output::check_by(&test_args.by, format, &describe_table::<EvidenceRow>().columns)?;
    let sort = args.sort_args.sort::<EvidenceRow>(&test_args.by)?;
    let paths = input::expand_patterns(&test_args.test)?;
    let inputs: Vec<&PathBuf> =
        test_args.source.path().into_iter().chain(&args.audit_sample.audit).chain(&paths).collect();
    input::check_used_once(inputs.iter().copied())?;
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let pool = parallel::pool(test_args.threads)?;
    let model = model_for(test_args, &paths)?;
    let columns = test_args.columns.get();
    let labelled = &test_args.source.train.labelled;
    let request = audit::AuditRequest {
        external: Some(model),
        file: args.audit_sample.file(audit, columns, (&labelled.label, &labelled.positive), None, &test_args.by),
        design: AuditColumns::default(),
        by: &test_args.by,
        audit_outside_test: args.audit_sample.audit_outside_test,
        margin: args.equivalence.margin,
        total: false,
        reference: None,
        interval_options: &interval_options,
    };
    pool.install(|| {
        request.run(|model| test_files(test_args, &paths, columns.for_model(model)), &sort, format, args.output.file())
    })
}
