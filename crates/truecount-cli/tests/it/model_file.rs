//! Model files give the same estimates as fitting anew. Invalid ones are in `refusals/models.txt`.

use crate::common::Folder;

const FIT: &str = "fit --train train.csv -o model.json --method o-cs,cc,ac,cs --threshold 0.5 --cutoff 1";

fn fitted() -> Folder {
    let folder = Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n");
    let run = folder.run(FIT);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("wrote model.json\n"));
    folder
}

#[test]
fn a_model_file_gives_bitwise_the_same_estimates() {
    let folder = fitted();
    let read = folder.stdout("estimate --model model.json --test test.csv --by day --format json");
    let anew = "--train train.csv --method o-cs,cc,ac,cs --threshold 0.5 --cutoff 1";
    assert_eq!(read, folder.stdout(&format!("estimate {anew} --test test.csv --by day --format json")));
}

#[test]
fn models_pass_through_pipes() {
    let folder = fitted();
    let model = folder.run(&FIT.replace("model.json", "-"));
    assert_eq!(model.stdout, folder.read("model.json"));
    let piped = folder.run_with("estimate --model - --test test.csv", model.stdout);
    assert_eq!(piped.stdout, folder.run("estimate --model model.json --test test.csv").stdout);
}
