//! Model files in pipes. Their content is in `outputs/models.txt`, and invalid ones are in `refusals/models.txt`.

use crate::common::Folder;

#[test]
fn models_pass_through_pipes() {
    let folder = Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n");
    folder.run_ok("fit --train train.csv -o model.json");
    let model = folder.stdout("fit --train train.csv -o -");
    assert_eq!(model, folder.read("model.json"));
    let piped = folder.run_with("estimate --model - --test test.csv", model);
    assert_eq!(piped.stdout, folder.stdout("estimate --model model.json --test test.csv"));
}
