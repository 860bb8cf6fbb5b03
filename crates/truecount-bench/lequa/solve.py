"""A task of a LeQua competition with two or more classes: from features to predictions and their errors.

    python solve.py T1A/public --classifier svm --tune --output results

The folder is T1A/public or T1B/public of LeQua2022, or T1/public, T2/public or T4/public of LeQua2024. It holds training_data.txt, the
folder test_samples with 0.txt, 1.txt, …, and perhaps test_prevalences.txt.

A classifier is fitted to the standardised features of the training data. The training rows get out-of-fold
scores; the samples are scored by a classifier of all rows. The sweeps use these scores, and methods that need
posterior probabilities use those of Platt scaling. With `--tune`, the hyperparameters have the largest mean area under
the ROC curve over five folds.

The output folder gets predictions-METHOD.csv in the competition's format and train_scores.csv; where the
prevalences are known also estimates.csv, for `truecount evaluate`, and figures. Needs the packages of
requirements.txt and truecount.

With more than two classes (T1B, T2) the methods are those of `truecount.MulticlassQuantifier`. The output folder gets
the predictions and errors.csv: RAE, by which the competition ranks, and AE.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import truecount as tc

FOLDS = 5
CLASSIFIERS = {"logistic": LogisticRegression(max_iter=1000), "svm": SVC(gamma="auto")}


def grid(classifier, features):
    """Grid of hyperparameters, least flexible first; squared distances grow with the number of features."""
    if classifier == "logistic":
        return {"logisticregression__C": [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0]}
    gammas = [share / features for share in (1 / 64, 1 / 16, 1 / 4, 1)]
    return {"svc__C": [0.25, 1.0, 4.0, 16.0, 64.0], "svc__gamma": gammas}


def read(file, features=None):
    """Features of a file of the competition, which must have these columns, and its labels, if it has any."""
    table = pd.read_csv(file)
    labels = table.pop("label") if "label" in table else None
    if features is not None and list(table) != features:
        sys.exit(f"{file}: the header differs from that of the training data; all files need the same features")
    if table.empty or not np.isfinite(table.to_numpy(float)).all():
        sys.exit(f"{file}: there are no rows of features, or a feature is not a finite number")
    return table, labels


def sample_files(folder, kind):
    """Files of the samples by number, and their prevalences if they are known."""
    files = {int(file.stem): file for file in (folder / f"{kind}_samples").glob("[0-9]*.txt")}
    if not files:
        sys.exit(f"{folder / f'{kind}_samples'}: there are no samples; unpack them there")
    truths = folder / f"{kind}_prevalences.txt"
    if not truths.exists():
        return dict(sorted(files.items())), None
    shares = pd.read_csv(truths, index_col="id").sort_index()
    if list(shares.index) != sorted(files) or (abs(shares.sum(axis=1) - 1) > 1e-3).any():
        sys.exit(f"{truths}: each sample needs one row, whose shares add to 1")
    return dict(sorted(files.items())), shares


def fit(args, features, labels):
    """Fitted classifier, its Platt scaling, and the out-of-fold scores; for more than two classes a quantifier."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=args.seed)
    pipeline = make_pipeline(StandardScaler(), CLASSIFIERS[args.classifier])
    candidates = grid(args.classifier, features.shape[1]) if args.tune else {}
    scoring, measure = ("roc_auc", "area under the ROC curve") if labels.nunique() == 2 else ("accuracy", "accuracy")
    search = GridSearchCV(pipeline, candidates, scoring=scoring, cv=folds, n_jobs=-1).fit(features, labels)
    print(f"{args.classifier} {search.best_params_}: {measure} {search.best_score_:.4f}", file=sys.stderr)
    if labels.nunique() > 2:
        return tc.MulticlassQuantifier(search.best_estimator_, cv=folds).fit(features, labels)
    scores = cross_val_predict(search.best_estimator_, features, labels, cv=folds, method="decision_function")
    fitted = CalibratedClassifierCV(search.best_estimator_, cv=folds, ensemble=False).fit(features, labels)
    return search.best_estimator_, fitted.calibrated_classifiers_[0].calibrators[0], scores


def solve_classes(args, quantifier, samples, truths):
    """Writes the predictions of the shares of several classes, and their errors where the prevalences are known."""
    args.output.mkdir(parents=True, exist_ok=True)
    probabilities = {number: quantifier.probabilities(sample) for number, sample in samples}
    columns = [str(name) for name in quantifier.classes_]
    errors = []
    for method in (args.method or "ml,sld,pacc,ac,cc").split(","):
        fitted = tc.MulticlassQuantifier("scores", method=method)
        fitted.fit(quantifier.labelled_probabilities_, quantifier.labels_)
        shares = np.array([fitted.estimate(sample).prevalence for sample in probabilities.values()])
        table = pd.DataFrame(shares, columns=columns, index=pd.Index(probabilities, name="id"))
        table.to_csv(args.output / f"predictions-{method}.csv")
        if truths is not None:
            sizes = [len(sample) for sample in probabilities.values()]
            sets = [*zip(truths[columns].to_numpy(), shares, sizes)]
            rae, ae = (
                np.mean([tc.measures.class_errors(name, p[None], q[None], n)[0] for p, q, n in sets])
                for name in ("mrae", "mae")
            )
            errors.append({"method": method, "RAE": rae, "AE": ae})
    if errors:
        ranking = pd.DataFrame(errors).sort_values("RAE", ignore_index=True)
        ranking.to_csv(args.output / "errors.csv", index=False)
        print(ranking.round(4).to_string(index=False))


def main():
    """Writes the predictions, and evaluates them where the prevalences are known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the competition")
    parser.add_argument("--classifier", choices=CLASSIFIERS, default="logistic")
    parser.add_argument("--tune", action="store_true", help="choose hyperparameters from a grid")
    parser.add_argument(
        "--method", help="methods, separated by commas [default: the paper's four, or all for several classes]"
    )
    parser.add_argument("--family", default="skew-normal", help="family of the classes' score distributions")
    parser.add_argument("--samples", choices=["test", "dev"], default="test")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random folds")
    parser.add_argument("--output", type=Path, required=True, help="folder for the results")
    args = parser.parse_args()
    files, truths = sample_files(args.folder, args.samples)
    features, labels = read(args.folder / "training_data.txt")
    fitted = fit(args, features, labels)
    if labels.nunique() > 2:
        samples = ((number, read(file, list(features))[0]) for number, file in files.items())
        return solve_classes(args, fitted, samples, truths)
    classifier, sigmoid, scores = fitted
    probabilities = sigmoid.predict(scores)
    model = tc.Model.fit(
        scores,
        labels,
        method=args.method or "sld,dys,o-cs,t-ms",
        family=args.family,
        train_probabilities=probabilities,
        positive=1,
    )
    samples = [classifier.decision_function(read(file, list(features))[0]) for file in files.values()]
    # The kind of shift is known, so the shift check is left out.
    estimates = model.estimate_each(samples, test_probabilities=[sigmoid.predict(s) for s in samples], check=False)

    args.output.mkdir(parents=True, exist_ok=True)
    train = {"score": scores, "probability": probabilities, "label": labels}
    pd.DataFrame(train).to_csv(args.output / "train_scores.csv", index=False)
    known = pd.DataFrame({"sample": files.keys(), "n": [len(sample) for sample in samples]})
    by_method = {}
    for method, rows in estimates.to_pandas().groupby("method", sort=False):
        rows = rows.reset_index(drop=True)
        predictions = {"id": known["sample"], "0": 1 - rows["prevalence"], "1": rows["prevalence"]}
        pd.DataFrame(predictions).to_csv(args.output / f"predictions-{method}.csv", index=False)
        columns = {method: rows["prevalence"], f"{method}_lower": rows["lower"], f"{method}_upper": rows["upper"]}
        by_method[method] = pd.DataFrame(columns).dropna(axis="columns")
    if truths is None:
        return
    known["truth"] = truths["1"].to_numpy()
    # Both editions rank by RAE.
    ranked = sorted(by_method, key=lambda name: tc.measures.mrae(known["truth"], by_method[name][name], known["n"]))
    table = pd.concat([known, *(by_method[method] for method in ranked)], axis="columns")
    table.to_csv(args.output / "estimates.csv", index=False)
    # Kloos et al. compare the other methods with O-CS.
    reference = ["--reference", "o-cs"] if "o-cs" in by_method else []
    evaluate = [sys.executable, "-m", "truecount", "evaluate", "--estimates", args.output / "estimates.csv"]
    subprocess.run([*evaluate, *reference, "--figures", args.output], check=True)


if __name__ == "__main__":
    main()
