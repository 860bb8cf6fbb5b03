//! A page has its groups in the order of the command's other outputs, which `outputs/order.txt` has.

use crate::common::Folder;

#[test]
fn a_page_sorts_its_groups() {
    let folder = Folder::with_train().file("test.csv", "g,score\n10,0\n9,1\n10,2\n2,0\n");
    let html = |sort: &str| {
        let page = folder.stdout(&format!("report --train train.csv --test test.csv --by g --method cc -o - {sort}"));
        let group = |cell: &str| Some(cell.split_once("<bdi>")?.1.split('<').next()?.to_owned());
        page.split(r#"<th scope="row">"#).skip(1).filter_map(group).take(3).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(html(""), "2 9 10");
    assert_eq!(html("--sort none"), "10 9 2");
}
