//! The paper's studies: their designs, agreement with theory, and counts of claims.

use super::{arm_index, complete, number, summaries};
use serde_json::Value;
use truecount_bench::studies::paper::PaperStudy;
use truecount_bench::studies::paper::estimated::{self, EstimatedParametersStudy};
use truecount_bench::studies::paper::known::{self, KnownParametersStudy};
use truecount_bench::studies::paper::lequa::{EmulatedStudy, TrainingSample};
use truecount_bench::studies::paper::misfit::{self, MisfitStudy};
use truecount_bench::studies::{RunPlan, Statistics, Study};

fn plan(replications: u32) -> RunPlan {
    RunPlan { seed: 5, replications }
}

/// Returns an arm of a part of the summary.
fn arm<'a>(part: &'a Value, name: &str) -> &'a Value {
    part["arms"].as_array().unwrap().iter().find(|arm| arm["arm"] == name).unwrap()
}

/// In the means over the settings, which need few replications, Study 1 agrees with the paper: the optimal threshold is
/// better than the traditional one, Continuous Sweep better than Median Sweep, DyS better than both, and SLD best.
#[test]
fn known_parameters_give_the_order_of_the_paper() {
    let results = complete::<KnownParametersStudy>(known::KnownSetting::all(), plan(200), 2);
    let [part] = &summaries(&results, "parts")[..] else { panic!("one part") };
    for error in ["mae", "rmse"] {
        let mean_error = |name: &str| number(arm(part, name), error);
        let order = ["sld", "dys", "o-cs", "t-cs", "o-ms", "t-ms"].map(mean_error);
        assert!(order.is_sorted(), "{order:?}");
        assert!(mean_error("es") < mean_error("dys"));
    }
    assert!(part["arms"].as_array().unwrap().iter().all(|arm| arm["refused"] == 0));
}

/// Estimated classes cost precision, and a wrong family causes bias, unless the rates come from the labelled scores.
#[test]
fn estimation_and_misfit_increase_the_errors() {
    let results = complete::<MisfitStudy>(misfit::MisfitSetting::all(), plan(10), 2);
    let parts = summaries(&results, "parts");
    assert!(parts.iter().map(|part| &part["part"]).eq(["shape 1", "shape 2", "shape 4"]));
    let error = |name: &str, error: &str| number(arm(&parts[2], name), error);
    assert!(error("o-cs normal", "absolute_bias") > 1.5 * error("o-cs skew", "absolute_bias"));
    assert!(error("es", "mae") < error("o-cs normal", "mae"));
    assert!(error("sld", "mae") < error("sld skew fitted", "mae"));
    for part in &parts {
        let claims = part["claims"].as_array().unwrap().len();
        assert_eq!((&part["settings"], claims), (&24.into(), MisfitStudy::CLAIMS.len()));
    }
    let figures = MisfitStudy::summary(&results).figures;
    assert_eq!(figures.len(), 6);
    let (_, svg) = figures.iter().find(|(name, _)| name == "shape-2-rmse.svg").unwrap();
    assert!(svg.contains("Study 3: skew-normal classes, shape 2") && svg.contains("RMSE of a setting"));
    assert_eq!(svg.matches(" less o-cs skew").count(), MisfitStudy::ARMS.len() - 1);
}

#[test]
fn counts_of_claims_follow_from_the_rows() {
    let results = complete::<EstimatedParametersStudy>(estimated::EstimatedSetting::all(), plan(3), 2);
    let [part] = &summaries(&results, "parts")[..] else { panic!("one part") };
    let claims = part["claims"].as_array().unwrap();
    let select =
        |name: &str, error: &str| results.select(arm_index::<EstimatedParametersStudy>(name), |_| true).values(error);
    for error in ["mae", "rmse"] {
        let ahead = select("o-cs", error).iter().zip(select("dys", error)).filter(|(a, b)| **a < *b).count();
        let claim = claims.iter().find(|claim| claim["claim"] == "o-cs ahead of dys").unwrap();
        assert_eq!(claim[error], ahead);
        // Three replications tell little.
        assert!(claim[format!("{error}_open")].as_u64().unwrap() > 200, "{claim}");
    }
    // The arms' own estimates, or those of both; classes overlap, and the fitted J may nowhere reach ¼.
    assert!(number(arm(part, "t-cs"), "refused") > number(arm(part, "o-cs"), "refused"));
    let others = ["t-cs", "o-ms", "t-ms"].map(arm_index::<EstimatedParametersStudy>);
    let ahead = |row: &&Vec<Statistics>| {
        others.iter().filter_map(|arm| row[*arm].value("mae_difference")).all(|difference| difference > 0.0)
    };
    assert_eq!(claims[1]["mae"], results.finished().iter().filter(ahead).count());
}

#[test]
fn lequa_emulated_has_the_order_of_the_paper() {
    let results = complete::<EmulatedStudy>(TrainingSample::all(), plan(250), 2);
    let rows = summaries(&results, "methods");
    let mae = |name: &str| rows.iter().find(|row| row["arm"] == name).unwrap()["found"][0].as_f64().unwrap();
    let order = ["sld", "dys", "o-cs", "t-ms"].map(mae);
    assert!(order.is_sorted(), "{order:?}");
    // Within 10 % of the paper's errors, which come from one training sample and other probabilities.
    for row in &rows {
        if let Some(paper) = row["paper"][0].as_f64() {
            assert!((row["found"][0].as_f64().unwrap() / paper - 1.0).abs() < 0.1, "{row:?}");
        }
    }
    let summary = EmulatedStudy::summary(&results).json;
    assert!(summary["training_samples"] == 20 && summary["in_the_order_of_the_paper"].as_u64() > Some(10));
}
