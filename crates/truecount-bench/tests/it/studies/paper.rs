//! The paper's studies: their designs, agreement with theory, and counts of claims.

use super::{arm_index, complete};
use truecount::distribution::Normal;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::{MinSeparation, Separation, optimal_region};
use truecount_bench::studies::paper::estimated::{self, EstimatedParametersStudy};
use truecount_bench::studies::paper::known::{self, KnownParametersStudy};
use truecount_bench::studies::paper::lequa::{EmulatedStudy, EmulatedSummary, TrainingSample};
use truecount_bench::studies::paper::misfit::{self, MisfitStudy};
use truecount_bench::studies::paper::{
    ErrorMeasure, ErrorStatistics, PaperArmSummary, PaperStudy, PaperSummary, SubsetSummary,
};
use truecount_bench::studies::{RunPlan, Study, StudyResults, Summary};

fn plan(replications: u32) -> RunPlan {
    RunPlan { seed: 5, replications }
}

fn summary<P: PaperStudy>(results: &StudyResults<P>) -> Vec<SubsetSummary> {
    <PaperSummary as Summary<P>>::new(results).parts
}

/// With known parameters Continuous Sweep is unbiased and has the variance of the paper's Theorem
/// 2. Each statistic of the 108 arms and settings may be off by 4.5 Monte Carlo errors, which gives
/// a false alarm with probability below 0.001.
#[test]
fn continuous_sweep_agrees_with_theory() {
    let replications = 2000;
    let results = complete::<KnownParametersStudy>(known::KnownSetting::all(), plan(replications), 2);
    for (arm, optimal) in [(0, true), (1, false)] {
        for (setting, errors) in results.in_arm(arm) {
            let normal = |mean, sd| Normal::new(mean, sd).unwrap().into();
            let separation = Separation::new(normal(1.0, setting.sd_pos), normal(0.0, setting.sd_neg)).unwrap();
            let threshold = if optimal {
                Threshold::Fixed(optimal_region(&separation, setting.alpha).unwrap().threshold())
            } else {
                Threshold::Fixed(MinSeparation::TRADITIONAL)
            };
            let moments = *ContinuousSweep::new(&separation, threshold).unwrap().moments();
            let variance = moments.variance(setting.alpha) / f64::from(setting.n);
            assert_eq!(errors.estimates, replications);
            let z = errors.bias.unwrap() / (variance / f64::from(replications)).sqrt();
            assert!(z.abs() < 4.5, "{setting:?} bias {z}");
            let z = (errors.variance.unwrap() - variance) / errors.variance_se.unwrap();
            assert!(z.abs() < 4.5, "{setting:?} variance {z}");
        }
    }
}

/// In the means over the settings, which need few replications, Study 1 agrees with the paper: the
/// optimal threshold is better than the traditional one, Continuous Sweep better than Median Sweep,
/// DyS better than both, and SLD best.
#[test]
fn known_parameters_give_the_order_of_the_paper() {
    let summaries = summary(&complete::<KnownParametersStudy>(known::KnownSetting::all(), plan(200), 2));
    let [summary] = summaries.as_slice() else { panic!("one part") };
    for error in [|arm: &PaperArmSummary| arm.mae, |arm: &PaperArmSummary| arm.rmse] {
        let mean_error = |name: &str| error(summary.arms.iter().find(|arm| arm.arm == name).unwrap());
        let order = ["sld", "dys", "o-cs", "t-cs", "o-ms", "t-ms"].map(mean_error);
        assert!(order.is_sorted(), "{order:?}");
        assert!(mean_error("es") < mean_error("dys"));
    }
    assert!(summary.arms.iter().all(|arm| arm.refused == 0));
}

/// Estimated classes cost precision, and a wrong family causes bias, unless the rates come from the
/// labelled scores.
#[test]
fn estimation_and_misfit_increase_the_errors() {
    let results = complete::<MisfitStudy>(misfit::MisfitSetting::all(), plan(10), 2);
    let summaries = summary(&results);
    assert_eq!(
        summaries.iter().map(|summary| summary.part.as_str()).collect::<Vec<_>>(),
        ["shape 1", "shape 2", "shape 4"]
    );
    let arm = |name: &str| summaries[2].arms.iter().find(|arm| arm.arm == name).unwrap();
    assert!(arm("o-cs normal").absolute_bias > 1.5 * arm("o-cs skew").absolute_bias);
    assert!(arm("es").mae < arm("o-cs normal").mae);
    assert!(arm("sld").mae < arm("sld skew fitted").mae);
    for summary in &summaries {
        assert_eq!((summary.settings, summary.claims.len()), (24, MisfitStudy::CLAIMS.len()));
    }
    let figures = <PaperSummary as Summary<MisfitStudy>>::figures(&results);
    assert_eq!(figures.len(), 6);
    let (_, svg) = figures.iter().find(|(name, _)| name == "shape-2-rmse.svg").unwrap();
    assert!(svg.contains("Study 3: skew-normal classes, shape 2") && svg.contains("RMSE of a setting"));
    assert_eq!(svg.matches(" less o-cs skew").count(), MisfitStudy::ARMS.len() - 1);
}

#[test]
fn counts_of_claims_follow_from_the_rows() {
    let results = complete::<EstimatedParametersStudy>(estimated::EstimatedSetting::all(), plan(3), 2);
    let summaries = summary(&results);
    let [summary] = summaries.as_slice() else { panic!("one part") };
    let errors_of = |name: &str, measure: ErrorMeasure| -> Vec<f64> {
        let rows = results.in_arm(arm_index::<EstimatedParametersStudy>(name));
        rows.map(|(_, errors)| measure.select(errors).unwrap()).collect()
    };
    for measure in ErrorMeasure::ALL {
        let ahead = errors_of("o-cs", measure).iter().zip(errors_of("dys", measure)).filter(|(a, b)| **a < *b).count();
        let answer = summary.claims.iter().find(|answer| answer.claim == "o-cs ahead of dys").unwrap();
        let (count, open) = match measure {
            ErrorMeasure::Mae => (answer.mae, answer.mae_open),
            ErrorMeasure::Rmse => (answer.rmse, answer.rmse_open),
        };
        assert_eq!(count, ahead);
        let exceptions: Vec<_> = answer.exceptions.iter().filter(|exception| exception.measure == measure).collect();
        assert_eq!(exceptions.len(), 324 - ahead);
        assert!(exceptions.iter().all(|e| e.claimed.0 == "o-cs" && e.better.0 == "dys" && e.better.1 <= e.claimed.1));
        // Three replications tell little.
        assert!(open > 200, "{open}");
    }
    // The arms' own estimates, or those of both; classes overlap, and the fitted J may nowhere
    // reach ¼.
    let t_cs = summary.arms.iter().find(|arm| arm.arm == "t-cs").unwrap();
    assert!(t_cs.refused > summary.arms[0].refused);
    let both = &summary.claims[1];
    let others = ["t-cs", "o-ms", "t-ms"].map(arm_index::<EstimatedParametersStudy>);
    let ahead = |row: &Vec<ErrorStatistics>| others.iter().filter_map(|arm| row[*arm].mae_difference).all(|d| d > 0.0);
    assert_eq!(both.mae, results.finished().iter().filter(|row| ahead(row)).count());
}

#[test]
fn lequa_emulated_has_the_order_of_the_paper() {
    let results = complete::<EmulatedStudy>(TrainingSample::all(), plan(250), 2);
    let summary = EmulatedSummary::new(&results);
    let rows = &summary.methods;
    let mae = |name: &str| rows.iter().find(|row| row.arm == name).unwrap().errors[0];
    let order = ["sld", "dys", "o-cs", "t-ms"].map(mae);
    assert!(order.is_sorted(), "{order:?}");
    // Within 10 % of the paper's errors, which come from one training sample and other
    // probabilities.
    for row in rows {
        if let Some(paper) = row.paper {
            assert!((row.errors[0] / paper[0] - 1.0).abs() < 0.1, "{row:?}");
        }
    }
    let (ordered, samples) = (summary.in_the_order_of_the_paper, summary.training_samples);
    assert!(samples == 20 && ordered > 10, "{ordered}");
}
