//! `truecount estimate --class-scores`: the shares of several classes; errors are in
//! `refusals/classes.txt`.

use crate::common::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The six kinds of land cover of the satellite data.
pub fn cover() -> Folder {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/landsat");
    let text = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    ["cover.csv", "cover_pixels.csv"].into_iter().fold(Folder::new(), |folder, name| folder.file(name, text(name)))
}

const ESTIMATE: &str = "estimate --train cover.csv --test cover_pixels.csv --class-scores p_*";

/// Groups, labels before columns, another order of columns and files of another format give the same shares.
#[test]
fn classes_may_be_named_in_any_order() {
    let folder = cover();
    let shares = |options: &str| -> Vec<(String, String, f64)> {
        let json = folder.stdout(&format!("{options} --format json"));
        let json: Value = serde_json::from_str(&json).unwrap();
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let row = |row: &Value| (text(&row["group"], "area"), text(row, "class"), row["prevalence"].as_f64().unwrap());
        let mut rows: Vec<_> = json["shares"].as_array().unwrap().iter().map(row).collect();
        rows.sort_by(|a, b| a.partial_cmp(b).unwrap());
        rows
    };
    let by_area = shares(&format!("{ESTIMATE} --by area"));
    assert_eq!(by_area.len(), 24);
    for area in by_area.chunks(6) {
        assert!((area.iter().map(|(_, _, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let named = "wet=p_wet,red=p_red,p_cotton,p_stubble,p_grey,p_damp";
    let other = ESTIMATE.replace("p_*", named);
    assert_eq!(shares(&format!("{other} --by area")), by_area);
}
