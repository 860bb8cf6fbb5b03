//! Audits whose rows several people labelled: agreement, and the prevalence if labels have errors.

use crate::common::tally;
use truecount::audit::{AuditSummary, AuditedRows, CorrectedPrevalence, LabelErrors, TargetCell};
use truecount::error::Problem;
use truecount::{IntervalOptions, Tally, Target};

/// Three people's labels of 24 rows.
const PEOPLE: [&str; 3] = ["111101111010010000010000", "111011111010000001010000", "110111101010010000000010"];

/// Reads labels, with a point for a missing label.
fn labels(text: &str) -> Vec<Option<bool>> {
    text.bytes().map(|label| (label != b'.').then_some(label == b'1')).collect()
}

fn people(texts: &[&str]) -> Vec<Vec<Option<bool>>> {
    texts.iter().map(|text| labels(text)).collect()
}

/// Audits 24 of 60 items whose scores are all equal, so that `ppi++` is the same as `labels`.
fn audit(people: &[Vec<Option<bool>>], options: &IntervalOptions) -> AuditSummary {
    let rows = AuditedRows { scores: &[1.0; 24], people, ..AuditedRows::default() };
    let model = rows.model().unwrap();
    let tally = tally(&model, &[1.0; 60]);
    model.audit(&rows).unwrap().compare_sources(0, &[(&tally).into()], false, options).unwrap()
}

/// Audits the same rows as two strata of 24 and 36 items, of which clusters of two were drawn.
fn audit_designed(people: &[Vec<Option<bool>>]) -> AuditSummary {
    let strata: Vec<u32> = (0..24).map(|row| u32::from(row >= 10)).collect();
    let clusters: Vec<u32> = (0..24).map(|row| row / 2).collect();
    let rows = AuditedRows {
        scores: &[1.0; 24],
        people,
        strata: Some(&strata),
        clusters: Some(&clusters),
        ..AuditedRows::default()
    };
    let model = rows.model().unwrap();
    // Clusters 0 to 4 and 12 to 18 are in the first stratum.
    let parts =
        (0..30).map(|cluster: u32| (u32::from(!(0..5).contains(&cluster) && !(12..19).contains(&cluster)), cluster));
    let tallies: Vec<(u32, u32, Tally)> =
        parts.map(|(stratum, cluster)| (stratum, cluster, tally(&model, &[1.0; 2]))).collect();
    let parts: Vec<TargetCell> = tallies
        .iter()
        .map(|(stratum, cluster, tally)| TargetCell { stratum: *stratum, cluster: *cluster, tally })
        .collect();
    model.audit(&rows).unwrap().compare_sources(0, &parts, false, &IntervalOptions::default()).unwrap()
}

fn corrected(summary: &AuditSummary, errors: LabelErrors) -> CorrectedPrevalence {
    let agreement = summary.agreement.as_ref().unwrap();
    *agreement.corrected.iter().find(|corrected| corrected.errors == errors).unwrap()
}

fn is_close(value: f64, expected: f64) -> bool {
    (value / expected - 1.0).abs() < 1e-12
}

/// vcd 1.4-11, `Kappa(table(p1, p2))`, and statsmodels 0.14, `cohens_kappa` and `fleiss_kappa`. The other
/// standard errors are those of survey 4.1-1, `svycontrast(svymean(…))`, times √(23/24): survey divides by
/// the number of rows less one.
#[test]
fn kappa_and_corrections_agree_with_other_programs() {
    let factor = (23.0_f64 / 24.0).sqrt();
    let two = audit(&people(&PEOPLE[..2]), &IntervalOptions::default());
    let agreement = two.agreement.as_ref().unwrap();
    assert_eq!((agreement.people, agreement.items), (2, 24));
    // Four of 24 pairs differ.
    assert!(is_close(agreement.agreement, 20.0 / 24.0));
    let kappa = agreement.kappa.unwrap();
    assert!(is_close(kappa.value, 0.664_335_664_335_664_5) && is_close(kappa.std_error, 0.153_137_164_462_670_7));
    let margin = 1.959_963_984_540_054 * kappa.std_error;
    assert!(
        is_close(kappa.interval.lower, kappa.value - margin) && is_close(kappa.interval.upper, kappa.value + margin)
    );
    for (errors, prevalence, se) in [
        (LabelErrors::FalsePositives, 0.359_848_484_848_484_9, 0.104_573_582_656_146_2),
        (LabelErrors::Symmetric, 0.448_968_963_692_017_1, 0.115_984_922_573_982_7),
        (LabelErrors::FalseNegatives, 0.560_185_185_185_185_1, 0.109_155_096_959_066_9),
    ] {
        let estimate = corrected(&two, errors);
        assert!(is_close(estimate.raw, prevalence) && is_close(estimate.std_error, se * factor), "{estimate:?}");
    }
    let three = audit(&people(&PEOPLE), &IntervalOptions::default());
    let kappa = three.agreement.as_ref().unwrap().kappa.unwrap();
    assert!(is_close(kappa.value, 0.55) && is_close(kappa.std_error, 0.129_677_694_102_825_9 * factor), "{kappa:?}");
    let estimate = corrected(&three, LabelErrors::ByClass);
    assert!(is_close(estimate.raw, 0.592_592_592_592_592_4), "{estimate:?}");
    assert!((estimate.std_error / (0.151_334_494_357_111_1 * factor) - 1.0).abs() < 1e-9, "{estimate:?}");
    assert!((estimate.sensitivity - 0.75).abs() < 1e-12 && (estimate.specificity - 1.0).abs() < 1e-12);
}

/// survey 4.1-1, `svykappa` and `svycontrast` for `svydesign(~c, strata = ~h, weights = ~w)`: clusters of
/// two rows in strata.
#[test]
fn agreement_has_the_standard_errors_of_the_design() {
    let two = audit_designed(&people(&PEOPLE[..2]));
    let kappa = two.agreement.as_ref().unwrap().kappa.unwrap();
    assert!(is_close(kappa.value, 0.665_027_556_846_308_8), "{kappa:?}");
    assert!(is_close(kappa.std_error, 0.149_816_788_080_913), "{kappa:?}");
    for (errors, prevalence, se) in [
        (LabelErrors::FalsePositives, 0.351_062_717_770_034_8, 0.080_624_526_872_401_4),
        (LabelErrors::Symmetric, 0.437_102_909_796_684_87, 0.077_819_631_995_676_15),
        (LabelErrors::FalseNegatives, 0.550_200_892_857_142_8, 0.080_981_244_877_632_59),
    ] {
        let estimate = corrected(&two, errors);
        assert!(is_close(estimate.raw, prevalence) && is_close(estimate.std_error, se), "{estimate:?}");
    }
    let three = audit_designed(&people(&PEOPLE));
    let kappa = three.agreement.as_ref().unwrap().kappa.unwrap();
    assert!(is_close(kappa.value, 0.550_555_164_003_084_9) && is_close(kappa.std_error, 0.130_367_202_381_270_8));
    let estimate = corrected(&three, LabelErrors::ByClass);
    assert!((estimate.raw - 0.580_744_061_736_078_7).abs() < 1e-12, "{estimate:?}");
    assert!((estimate.std_error / 0.142_418_110_652_759_1 - 1.0).abs() < 1e-9, "{estimate:?}");
}

/// Cochran (1977), §10.3, with the divisor m: the variance of the mean of m row means is
/// (1/m − 1/N) s₁² and adds the mean of s₂²/k, divided by N, for the labels within rows. For the
/// population it is s₁²/m.
#[test]
fn the_mean_label_has_the_variance_of_two_stages() {
    let two = people(&PEOPLE[..2]);
    let mean = |row: usize| two.iter().map(|labels| f64::from(u8::from(labels[row].unwrap()))).sum::<f64>() / 2.0;
    let share = (0..24).map(mean).sum::<f64>() / 24.0;
    let between = (0..24).map(|row| (mean(row) - share).powi(2)).sum::<f64>() / 24.0;
    // Two labels that differ have s² = ½, and s²/k = ¼.
    let within = 4.0 * 0.25 / 24.0;
    for (target, variance) in
        [(Target::Sample, (1.0 / 24.0 - 1.0 / 60.0) * between + within / 60.0), (Target::Population, between / 24.0)]
    {
        let estimate = audit(&two, &IntervalOptions::default().with_target(target)).estimates[0];
        assert!(is_close(estimate.raw, share) && is_close(estimate.std_error.powi(2), variance), "{estimate:?}");
    }
    // A row with a single label has the mean s² of the others: here one row of six with two labels differs.
    let some = people(&[&format!("110100{}", "0".repeat(18)), &format!("100100{}", ".".repeat(18))]);
    let estimate = audit(&some, &IntervalOptions::default()).estimates[0];
    let (share, s2): (f64, f64) = (2.5 / 24.0, 0.5 / 6.0);
    let between = (2.0 + 0.25) / 24.0 - share * share;
    let within = (6.0 * s2 / 2.0 + 18.0 * s2) / 24.0;
    let variance = (1.0 / 24.0 - 1.0 / 60.0) * between + within / 60.0;
    assert!(is_close(estimate.raw, share) && is_close(estimate.std_error.powi(2), variance), "{estimate:?}");
}

/// One person's labels are those of `positive`, and people who agree everywhere have a κ of 1 and no
/// errors.
#[test]
fn people_without_errors_give_the_estimates_of_one_person() {
    let one = labels(PEOPLE[0]);
    let positive: Vec<bool> = one.iter().map(|label| label.unwrap()).collect();
    let rows = AuditedRows { scores: &[1.0; 24], positive: &positive, ..AuditedRows::default() };
    let model = rows.model().unwrap();
    let tally = tally(&model, &[1.0; 60]);
    let options = IntervalOptions::default();
    let expected = model.audit(&rows).unwrap().compare_sources(0, &[(&tally).into()], false, &options).unwrap();
    assert_eq!(audit(std::slice::from_ref(&one), &options), expected);
    assert!(expected.agreement.is_none());
    let twice = audit(&[one.clone(), one], &options);
    assert_eq!(twice.estimates, expected.estimates);
    let agreement = twice.agreement.as_ref().unwrap();
    let kappa = agreement.kappa.unwrap();
    assert_eq!((agreement.agreement, kappa.value, kappa.std_error), (1.0, 1.0, 0.0));
    for errors in [LabelErrors::FalsePositives, LabelErrors::Symmetric, LabelErrors::FalseNegatives] {
        let estimate = corrected(&twice, errors);
        assert_eq!((estimate.sensitivity, estimate.specificity), (1.0, 1.0));
        assert!(is_close(estimate.raw, expected.estimates[0].raw), "{estimate:?}");
    }
    // All labels are equal: κ is 0/0.
    let none = audit(&people(&["000000000000000000000000"; 2]), &options);
    assert!(none.agreement.as_ref().unwrap().kappa.is_none());
    // No row has two labels.
    let halves = [format!("{}{}", "101010101010", ".".repeat(12)), format!("{}{}", ".".repeat(12), "100010001000")];
    assert!(audit(&people(&halves.each_ref().map(String::as_str)), &options).agreement.is_none());
}

#[test]
fn each_person_has_a_place_for_each_label() {
    let mut short = people(&PEOPLE[..2]);
    short[1].pop();
    let rows = AuditedRows { scores: &[1.0; 24], people: &short, ..AuditedRows::default() };
    let mismatch = Problem::LengthMismatch { column: "labels", values: 23, others: 24 };
    assert_eq!(rows.model().unwrap_err().problem(), Some(&mismatch));
}
