//! `truecount plan`: its figure; its results are in `outputs/plan.txt`.

use crate::common::Folder;

#[test]
fn the_figure_is_written() {
    let folder = Folder::with_spam();
    let run = folder.run("plan --train train.csv --se 0.01 --method o-cs,es --figure plan.svg");
    assert_eq!((run.code, run.stderr.as_str()), (0, "wrote plan.svg\n"));
    let svg = folder.read("plan.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(["o-cs", "es", "unlabelled scores"].iter().all(|text| svg.contains(text)) && !svg.contains("NaN"));
}
