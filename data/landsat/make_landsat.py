"""Scores for the study "cropland by small area".

Needs numpy, pandas and scikit-learn 1.9; for the workbook pandas and openpyxl.

Data: Statlog Landsat Satellite (UCI, CC BY 4.0) as shipped in R's mlbench package (Debian: r-cran-mlbench), written by
  Rscript -e 'library(mlbench); data(Satellite); write.csv(Satellite, "satellite.csv", row.names=FALSE)'
Its 4,435 training rows and 2,000 test rows each scan the scene from top to bottom: 62 and 29 % of the rows are the
right-hand neighbour of the row before, with the same pixel values. The position of a row is the share of the rows
before it; areas are eighths of the positions, from A at the top to H, and zones are quarters.
1,000 random pixels train the classifier, 1,200 others are the labelled sample, and the rest is the target. Cropland is
cotton crop or vegetation stubble. The classifier sees the four bands of the pixel itself, not those of its neighbours.

    python make_landsat.py        writes the files
    python make_landsat.py cover  writes the probabilities of all six classes in areas E to H
    python make_landsat.py book   writes the workbook survey.xlsx from them, as a survey's office would keep it
    python make_landsat.py 40     repeats the draw 40 times, and prints errors and coverage of the command's estimates
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler


def write_workbook():
    """Writes both tables as sheets with titles above the header, and scores as texts with decimal commas."""
    columns = {"area": "Area", "score": "Score", "label": "Cropland"}
    with pd.ExcelWriter("survey.xlsx") as book:
        for sheet, file in {"Visited": "train.csv", "Register": "pixels.csv"}.items():
            table = pd.read_csv(file)
            table["score"] = table.score.map("{:.4f}".format).str.replace(".", ",")
            table = table[[column for column in columns if column in table]].rename(columns=columns)
            if "Cropland" in table:
                table["Cropland"] = table.Cropland.map({1: "yes", 0: "no"})
            table.to_excel(book, sheet_name=sheet, startrow=3, index=False)
            book.sheets[sheet]["A1"] = f"Land cover survey: {sheet.lower()} pixels"
            book.sheets[sheet]["A2"] = "Scores of the classifier of spring"


if sys.argv[1:] == ["book"]:
    write_workbook()
    sys.exit()

d = pd.read_csv("satellite.csv")
X = d.iloc[:, 16:20].to_numpy()
y = d.classes.isin(["cotton crop", "vegetation stubble"]).astype(int).to_numpy()
position = np.r_[np.arange(4435) / 4435, np.arange(2000) / 2000]
COVER = {
    "red soil": "red",
    "grey soil": "grey",
    "damp grey soil": "damp",
    "very damp grey soil": "wet",
    "cotton crop": "cotton",
    "vegetation stubble": "stubble",
}
regions = {"zone": (position * 4).astype(int) + 1, "area": np.array([*"ABCDEFGH"])[(position * 8).astype(int)]}


def split(seed):
    order = np.random.default_rng(seed).permutation(len(d))
    return order[:1000], np.sort(order[1000:2200]), np.sort(order[2200:])


def classifier():
    return make_pipeline(StandardScaler(), PolynomialFeatures(2), LogisticRegression(max_iter=5000))


def write_cover(seed, folder):
    """Writes the probabilities of all classes for the labelled rows of areas E to H, and for their other rows."""
    train, labelled, rest = split(seed)
    names = d.classes.replace(COVER)
    model = classifier().fit(X[train], names[train])
    rows = pd.DataFrame(model.predict_proba(X).round(3), columns=[f"p_{name}" for name in model.classes_])
    rows.insert(0, "area", regions["area"])
    labelled, rest = (part[rows.area[part] >= "E"] for part in (labelled, rest))
    rows.assign(label=names).iloc[labelled].to_csv(folder / "cover.csv", index=False)
    rows.iloc[rest].to_csv(folder / "cover_pixels.csv", index=False)
    pd.crosstab(rows.area[rest], names[rest]).to_csv(folder / "cover_truth.csv")


def draw(seed, folder):
    train, labelled, rest = split(seed)
    model = classifier().fit(X[train], y[train])
    rows = pd.DataFrame({**regions, "score": model.decision_function(X).round(4), "label": y})
    rows.iloc[labelled][["zone", "area", "score", "label"]].to_csv(folder / "train.csv", index=False)
    rows.iloc[rest][["zone", "area", "score"]].to_csv(folder / "pixels.csv", index=False)
    truth = (
        rows.iloc[rest]
        .groupby("area")
        .label.agg(["size", "sum", "mean"])
        .set_axis(["n", "cropland", "prevalence"], axis=1)
    )
    truth.to_csv(folder / "truth.csv")
    return [*truth.prevalence, truth.cropland.sum() / truth.n.sum()]


def estimate(folder, *options):
    command = [
        "truecount",
        "estimate",
        "--train",
        folder / "train.csv",
        "--test",
        folder / "pixels.csv",
        "--by",
        "area",
        "--total",
    ]
    subprocess.run([*command, *options, "-o", folder / "estimates.csv"], check=True, capture_output=True)
    return pd.read_csv(folder / "estimates.csv")


if len(sys.argv) == 1:
    draw(20261123, Path())
elif sys.argv[1] == "cover":
    write_cover(20261123, Path())
else:
    results = []
    for seed in range(int(sys.argv[1])):
        folder = Path(tempfile.mkdtemp())
        truth = draw(seed, folder)
        for name, options in {
            "a model for each": ["--model-stratum", "area", "--small-strata", "pool"],
            "one model": [],
            "count": ["--method", "cc"],
        }.items():
            rows = estimate(folder, *options).assign(name=name, truth=truth)
            results.append(
                rows.assign(
                    row=["area"] * 8 + ["all"],
                    error=rows.prevalence - truth,
                    covered=(rows.lower <= truth) & (truth <= rows.upper),
                )
            )
    results = pd.concat(results).assign(absolute_error=lambda t: t.error.abs())
    print(results.groupby(["row", "name"])[["error", "absolute_error", "covered"]].mean().round(4))
