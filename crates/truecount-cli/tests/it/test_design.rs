//! `--stratum`, `--cluster`, `--population` and `--replicates`: the design of the test rows.

use crate::common::Folder;
use serde_json::Value;
use std::fmt::Write;

/// A folder with labelled rows and a survey: three strata with clusters of six rows, weights, the
/// size of each stratum and four columns of replicate weights.
pub fn folder() -> Folder {
    let mut train = "label,score\n".to_owned();
    for i in 0..40_u32 {
        let score = if i < 20 { 0.3 + 0.035 * f64::from((i * 7) % 20) } else { 0.035 * f64::from(((i - 20) * 3) % 20) };
        writeln!(train, "{},{score}", u32::from(i < 20)).unwrap();
    }
    let mut test = "month,stratum,cluster,weight,size,half,score,rep1,rep2,rep3,rep4,one\n".to_owned();
    for j in 0..60_u32 {
        let (stratum, weight, size) =
            [("a", 10, 300), ("b", 5, 90), ("c", 2, 24)][usize::from(j >= 30) + usize::from(j >= 48)];
        let score = f64::from((j * j * 7 + 13 * j) % 29) / 28.0;
        write!(test, "2026-0{},{stratum},{},{weight},{size},{},{score}", 1 + j % 2, j / 6, ["x", "y"][j as usize % 2])
            .unwrap();
        for r in 1..5 {
            let factor = if (j / 6 + r) % 3 == 0 { 0.5 } else { 1.25 };
            write!(test, ",{}", factor * f64::from(weight)).unwrap();
        }
        writeln!(test, ",{}", j / 59).unwrap();
    }
    Folder::new().file("train.csv", train).file("test.csv", test)
}

const DATA: &str = "--train train.csv --test test.csv --method ac --cutoff 0.5 --weight weight";

#[track_caller]
fn assert_numbers(row: &Value, raw: f64, se: f64) {
    let (own_raw, own_se) = (row["raw"].as_f64().unwrap(), row["se"].as_f64().unwrap());
    assert!((own_raw - raw).abs() < 1e-11 && (own_se - se).abs() < 1e-11, "{own_raw} {own_se}, not {raw} {se}");
}

/// The numbers are those of R's package survey 4.1.1 for the share of scores from 0.5 on, with `svymean`,
/// corrected by the rates of the labelled rows, 0.7 and 0.25, and with their binomial variance.
#[test]
fn standard_errors_are_those_of_r() {
    let folder = folder();
    let estimate = |options: &str| folder.json(&format!("estimate {DATA} {options}"));
    let raw = 0.711_218_464_842;
    for (options, se) in [
        // svydesign(ids = ~1, strata = ~stratum, weights = ~weight)
        ("--stratum stratum", 0.239_488_033_433),
        // svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight)
        ("--stratum stratum --cluster cluster", 0.192_810_591_196),
        // svrepdesign(repweights = rep1 to rep4, type = "BRR", mse = TRUE)
        ("--replicates rep* --replicate-type brr", 0.180_267_372_325),
    ] {
        let output = estimate(options);
        assert_numbers(&output["estimates"][0], raw, se);
        assert_eq!(output["estimates"][0]["target"], "population");
    }
    // subset(design, half == "x"), and "y".
    let groups = estimate("--stratum stratum --cluster cluster --by half --total");
    assert_numbers(&groups["estimates"][0], 0.829_307_568_438, 0.269_249_295_950);
    assert_numbers(&groups["estimates"][1], 0.593_129_361_245, 0.276_133_346_200);
    assert_numbers(&groups["total"][0], raw, 0.192_810_591_196);
    // The covariance of svyby(covmat = TRUE), and the labelled rows' part by hand.
    let compare = folder.json(&format!("compare {DATA} --stratum stratum --cluster cluster --by half --reference y"));
    let row = &compare["differences"][0];
    let (difference, se) = (row["difference"].as_f64().unwrap(), row["se"].as_f64().unwrap());
    assert!((difference - 0.236_178_2).abs() < 1e-7 && (se - 0.385_727_78).abs() < 1e-8, "{difference} {se}");
}

/// A folder with labelled rows that the cutoff separates, so that only the drawing of the rows of [`folder`] is
/// uncertain, and with more columns: a stratum with a single cluster, the numbers of clusters and rows that were
/// drawn from, and replicates without some clusters.
fn separated_folder() -> Folder {
    let mut test = "single,drawn_from,rows,tip,zero1,zero2,zero3,zero4\n".to_owned();
    for j in 0..60_u32 {
        let (cluster, weight) = (j / 6, [10.0, 5.0, 2.0][usize::from(j >= 30) + usize::from(j >= 48)]);
        let (single, drawn_from) =
            (["a", "b", "c"][usize::from(j >= 30) + usize::from(j >= 54)], 20 - cluster / 5 * 11);
        let drawn_from = if j < 48 { drawn_from } else { 4 };
        write!(test, "{single},{drawn_from},12,{}", if cluster % 3 == 0 { "p" } else { "q" }).unwrap();
        for r in 1..5 {
            write!(test, ",{}", if (cluster + r) % 3 == 0 { 0.0 } else { (0.5 + f64::from(cluster * r % 4)) * weight })
                .unwrap();
        }
        test += "\n";
    }
    let folder = folder();
    let lines =
        folder.read("test.csv").lines().zip(test.lines()).fold(String::new(), |text, (a, b)| text + a + "," + b + "\n");
    folder
        .file("test.csv", lines)
        .file("train.csv", "label,score\n".to_owned() + &"1,1\n1,0.9\n0,0\n0,0.1\n".repeat(20))
}

/// The numbers are those of `svymean` and `svyby` of R's package survey 4.1.1 for the share of scores from 0.5 on, of all
/// rows and of both halves.
#[test]
fn strata_of_one_cluster_and_finite_populations_are_those_of_r() {
    let folder = separated_folder();
    for (options, expected) in [
        // svydesign(ids = ~cluster, strata = ~single, weights = ~weight), options(survey.lonely.psu = ...)
        ("--stratum single --lonely-psu certainty", [0.032_866_268_176, 0.079_943_848_772, 0.099_896_004_626]),
        ("--stratum single --lonely-psu adjust", [0.032_928_924_219, 0.081_959_176_021, 0.100_872_623_845]),
        ("--stratum single --lonely-psu average", [0.040_252_793_390, 0.097_910_818_783, 0.122_347_119_338]),
        // svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight, fpc = ~drawn_from)
        (
            "--stratum stratum --cluster-population drawn_from",
            [0.028_289_413_995, 0.070_366_869_618, 0.085_966_813_623],
        ),
        // svydesign(ids = ~cluster + row, strata = ~stratum, weights = ~weight, fpc = ~drawn_from + rows)
        (
            "--stratum stratum --cluster-population drawn_from --population rows",
            [0.039_626_289_135, 0.079_312_470_840, 0.093_722_292_187],
        ),
        // svydesign(ids = ~cluster, weights = ~weight, fpc = rep(40, 60))
        ("--cluster-population 40", [0.026_836_618_824, 0.068_647_498_657, 0.084_349_565_614]),
    ] {
        for method in ["ac", "cc"] {
            let data = DATA.replace("ac", method);
            let output = folder.json(&format!("estimate {data} --cluster cluster {options} --by half --total"));
            let rows = [&output["total"][0], &output["estimates"][0], &output["estimates"][1]];
            for ((row, raw), se) in
                rows.into_iter().zip([0.570_048_309_179, 0.623_188_405_797, 0.516_908_212_560]).zip(expected)
            {
                assert_numbers(row, raw, se);
            }
        }
    }
    // The covariance of svyby(covmat = TRUE), for the design of two stages.
    let design = "--stratum stratum --cluster cluster --cluster-population drawn_from --population rows";
    let compare = folder.json(&format!("compare {DATA} {design} --by half --reference y"));
    let se = compare["differences"][0]["se"].as_f64().unwrap();
    assert!((se - 0.154_696_070_565).abs() < 1e-11, "{se}");
}

/// R's package survey leaves out replicates without weight in a domain, whose standard error is 0.005212472362 then.
/// Here the others stand for them: 4/3 of the variance.
#[test]
fn replicates_without_weight_leave_the_others() {
    let folder = separated_folder();
    let output = folder.json(&format!("estimate {DATA} --replicates zero* --replicate-type brr --by tip"));
    assert_numbers(&output["estimates"][1], 0.535_714_285_714, 0.053_759_029_336);
    let row = &output["estimates"][0];
    assert_numbers(row, 0.623_456_790_123, 0.006_018_844_642);
    let text = row["warnings"].to_string();
    assert!(text.contains("1 of 4 replicates give these scores no weight"), "{text}");
}
