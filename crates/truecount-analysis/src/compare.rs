//! Differences between estimates: of groups, of methods on the same scores, and of two samples.
//!
//! Groups of a level are compared with each other. A level has all groups that differ only in the last grouping column.

use crate::counts::COUNT_METHOD;
use crate::estimates::by_method;
use crate::executor::Executor;
use crate::groups::{GroupNames, GroupRanks};
use crate::problem::AnalysisProblem;
use crate::results::{
    CLASS, CountRow, DifferenceRow, Note, ReferenceShare, ResultTable, escape_untrusted, is_unreliable, is_widened,
    percent, points,
};
use std::cmp::Ordering;
use std::ops::Range;
use truecount::audit::{AuditSource, AuditSummary};
use truecount::compare::{
    Comparator, Comparison, Contrast, Difference, GroupContrasts, JointErrors, LabelRelation, Overlap, Reference,
};
use truecount::counts::RateInterval;
use truecount::error::Problem;
use truecount::multiclass::{ClassContrasts, MulticlassEstimate, MulticlassModel};
use truecount::quantifier::Quantifier;
use truecount::{Error, Estimate, Estimates, IntervalOptions, Method, Model, Target};

/// The groups in their order, divided into the sets within which they are compared: groups of
/// a set differ in the last grouping column only.
#[derive(Clone, Debug)]
pub struct ComparisonSets {
    order: Vec<usize>,
    ranges: Vec<Range<usize>>,
}

/// The reference that groups are compared with, as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceOption {
    /// The [usual](Reference::usual) reference for these groups, where a user names none.
    Auto,
    /// The previous group, all groups, the other groups, or each other group.
    Among(Reference),
    /// The group with this value of the last grouping column.
    Value(String),
}

impl ReferenceOption {
    /// Parses the value of an option; an empty text stands for the usual reference.
    pub fn from_option(text: &str) -> Self {
        if text.is_empty() { Self::Auto } else { Self::parse(text) }
    }

    /// Returns the reference that a word stands for; any other text is a value of the last grouping column.
    pub fn parse(text: &str) -> Self {
        let word = Reference::WORDS.into_iter().find(|(word, ..)| *word == text);
        word.map_or_else(|| Self::Value(text.to_owned()), |(_, reference, _)| Self::Among(reference))
    }
}

impl ComparisonSets {
    /// Divides groups with these names into sets, in the names' order.
    pub fn new(names: &dyn GroupNames) -> Self {
        let ranks = names.ranks();
        let order = GroupRanks::order_by(ranks.iter().cloned()).unwrap_or_default();
        let outer = &ranks[..ranks.len().saturating_sub(1)];
        let in_same_level = |a: &u32, b: &u32| outer.iter().all(|ranks| ranks.are_equal(*a, *b));
        let mut starts = vec![0];
        for level in order.chunk_by(in_same_level) {
            starts.push(starts[starts.len() - 1] + level.len());
        }
        Self::from_starts(order.iter().map(|group| *group as usize).collect(), &starts)
    }

    /// Creates sets of groups in this order. `starts` has the start of each set, followed by the end of the last level.
    pub fn from_starts(order: Vec<usize>, starts: &[usize]) -> Self {
        Self { order, ranges: starts.windows(2).map(|ends| ends[0]..ends[1]).collect() }
    }

    /// Returns the groups of each level.
    fn each(&self) -> impl Iterator<Item = &[usize]> {
        self.ranges.iter().map(|range| &self.order[range.clone()])
    }

    /// Returns the reference that each group with these names is compared with.
    ///
    /// # Errors
    /// Returns [`Problem::GroupUnknown`] for a value that no group has.
    pub fn resolve_reference(&self, reference: &ReferenceOption, names: &dyn GroupNames) -> Result<Reference, Error> {
        let value = match reference {
            ReferenceOption::Among(reference) => return Ok(reference.clone()),
            ReferenceOption::Auto => {
                return Ok(Reference::usual(self.each().map(<[usize]>::len), names.dates().is_some()));
            }
            ReferenceOption::Value(value) => value,
        };
        let texts = names.texts();
        let is_value = |group: &usize| texts.group_texts(*group).last().as_ref() == Some(value);
        let positions: Vec<Option<usize>> = self.each().map(|level| level.iter().position(is_value)).collect();
        if positions.iter().all(Option::is_none) {
            let column = names.columns().last().unwrap_or_default().to_owned();
            return Err(Problem::GroupUnknown { column, value: value.clone() }.into());
        }
        Ok(Reference::Group(positions))
    }

    /// Returns the reference that each group with these names is compared with, where groups are compared with single
    /// groups only. The usual reference for more than two groups without dates is every other group.
    ///
    /// # Errors
    /// Returns [`Problem::GroupUnknown`] for a value that no group has.
    pub fn resolve_group_reference(
        &self,
        reference: &ReferenceOption,
        names: &dyn GroupNames,
    ) -> Result<Reference, Error> {
        Ok(match self.resolve_reference(reference, names)? {
            Reference::Total if *reference == ReferenceOption::Auto => Reference::All,
            resolved => resolved,
        })
    }
}

/// Returns the line above a table with intervals.
fn title_with_level(title: &str, level: f64) -> Vec<String> {
    vec![format!("{title}, with {} % intervals:", percent(level))]
}

/// The columns of both shares.
const SHARES: [&str; 2] = ["prevalence", "prevalence_reference"];

/// Differences with their references.
pub struct DifferenceResult {
    /// The differences, method by method.
    pub rows: Vec<DifferenceRow>,
    /// The reference group of each row; `None` if the reference is not a single group.
    pub references: Vec<Option<usize>>,
    kind: ComparisonKind,
}

/// The kind of items that are compared.
enum ComparisonKind {
    Groups(Reference),
    Methods,
    Samples(Overlap),
}

impl DifferenceResult {
    fn new(mut rows: Vec<DifferenceRow>, kind: ComparisonKind) -> Self {
        DifferenceRow::adjust(&mut rows);
        Self { references: vec![None; rows.len()], rows, kind }
    }

    /// Sets the reference of each row; each contrast has `rows_each` rows.
    fn with_references(mut self, contrasts: &[Contrast], order: &[usize], rows_each: usize) -> Self {
        let reference = |contrast: &Contrast| match contrast.other {
            Comparator::Group(index) => Some(order[index]),
            Comparator::Total | Comparator::Rest => None,
        };
        self.references = contrasts.iter().flat_map(|contrast| vec![reference(contrast); rows_each]).collect();
        self
    }

    /// Sets the names of the reference groups: their values of the last grouping column.
    #[must_use]
    pub fn named(mut self, names: &dyn GroupNames) -> Self {
        let texts = names.texts();
        for (row, reference) in self.rows.iter_mut().zip(&self.references) {
            if let Some(group) = reference {
                row.reference = texts.group_texts(*group).last().unwrap_or_default();
            }
        }
        self
    }

    /// Replaces the number of each group: `numbers` has the new one.
    #[must_use]
    pub fn with_group_numbers(mut self, numbers: &[usize]) -> Self {
        self.rows.iter_mut().for_each(|row| row.group = numbers[row.group]);
        self
    }

    /// Returns the table of the differences, next to the shares. `several` says whether they are by several methods.
    pub fn table<'t>(&'t self, names: &'t dyn GroupNames, level: f64, several: bool) -> ResultTable<'t> {
        let table = SHARES.iter().fold(self.rows_with_groups(names), |table, share| table.hidden(share));
        let table = if several { table } else { table.hidden("method") };
        let table = if self.has_several_references() { table } else { table.hidden("reference") };
        table.titled(title_with_level(&self.title(), level))
    }

    /// Returns a table of shares and differences and a table of ratios, both for people, and a table with
    /// all columns for programs.
    pub fn tables_with_shares<'t>(
        &'t self,
        names: &'t dyn GroupNames,
        level: f64,
        several: bool,
    ) -> Vec<ResultTable<'t>> {
        let subjects =
            [("reference", self.has_several_references()), ("class", self.has_classes()), ("method", several)];
        let subjects = || subjects.into_iter().filter(|(_, is_shown)| *is_shown).map(|(name, _)| name);
        let view = |columns: &[&'static str], title: &str| {
            let columns: Vec<&str> = subjects().chain(columns.iter().copied()).collect();
            self.rows_with_groups(names).view(&columns).titled(title_with_level(title, level))
        };
        let [share, reference_share] = SHARES;
        vec![
            view(&[share, reference_share, "difference", "lower", "upper", "p_value_holm"], &self.title())
                .headed(reference_share, self.reference_heading().to_owned()),
            view(&["ratio", "ratio_lower", "ratio_upper"], "Ratios"),
            self.rows_with_groups(names).for_programs(),
        ]
    }

    /// Returns the table with all columns, without groups.
    pub fn plain_table(&self) -> ResultTable<'_> {
        let table = ResultTable::new(&self.rows);
        if self.has_classes() { table } else { table.without(CLASS) }
    }

    fn rows_with_groups<'t>(&'t self, names: &'t dyn GroupNames) -> ResultTable<'t> {
        self.plain_table().with_groups(names)
    }

    fn has_classes(&self) -> bool {
        self.rows.iter().any(|row| row.class.is_some())
    }

    fn has_several_references(&self) -> bool {
        matches!(self.kind, ComparisonKind::Groups(Reference::All))
    }

    /// Returns the heading of the reference's share.
    fn reference_heading(&self) -> &'static str {
        match self.kind {
            ComparisonKind::Groups(Reference::Previous) => "before",
            ComparisonKind::Groups(Reference::Total) => "total",
            ComparisonKind::Groups(Reference::Rest) => "rest",
            _ => "other",
        }
    }

    /// Describes one difference by the first method in a sentence: the latest if the groups are dates, otherwise the
    /// one with the smallest p-value. Differences of unreliable estimates are not described.
    pub(crate) fn describe_main_difference(&self, names: &dyn GroupNames) -> Option<String> {
        let first = self.rows.first()?;
        let rows = self.rows.iter().filter(|row| row.method == first.method || self.compares_methods());
        let comparisons = rows.clone().count();
        let rows = rows.filter(|row| !row.is_unreliable);
        let row = match names.dates() {
            Some(dates) => rows.max_by(|a, b| {
                let [latest, other] = [a, b].map(|row| dates.seconds[row.group]);
                let by_p_value = || b.difference.p_value.total_cmp(&a.difference.p_value);
                // Only classes have several rows of a date.
                latest.cmp(&other).then(if a.class.is_some() { by_p_value() } else { Ordering::Equal })
            })?,
            None => rows.min_by(|a, b| a.difference.p_value.total_cmp(&b.difference.p_value))?,
        };
        let method = self.compares_methods().then(|| row.method.clone());
        let subject: Vec<String> = names.name(row.group).into_iter().chain(row.class.clone()).chain(method).collect();
        let subject = if subject.is_empty() { String::new() } else { format!("{}: ", subject.join(", ")) };
        let reference = match &self.kind {
            ComparisonKind::Groups(Reference::Total) => "all groups together",
            ComparisonKind::Groups(Reference::Rest) => "all other groups together",
            _ => &row.reference,
        };
        let Difference { difference, interval, .. } = row.difference;
        let (word, [from, to]) = if difference < 0.0 {
            ("less", [-interval.upper, -interval.lower])
        } else {
            ("more", [interval.lower, interval.upper])
        };
        // The smallest of many p-values is adjusted for their number.
        let is_selected = names.dates().is_none() || row.class.is_some();
        let is_corrected = row.holm <= 1.0 - row.level;
        let chance = if from <= 0.0 || is_selected && !is_corrected {
            ", which may be chance".to_owned()
        } else if is_corrected {
            String::new()
        } else {
            format!(", before correction for {comparisons} comparisons")
        };
        let sentence = format!(
            "{subject}{} points {word} than {reference} ({} to {}){chance}",
            points(difference.abs()),
            points(from),
            points(to)
        );
        Some(escape_untrusted(&sentence).into_owned())
    }

    /// Returns the notes: a sentence on the main difference, the target, and ratios without a limit.
    pub fn notes(&self, names: &dyn GroupNames) -> Vec<Note> {
        let main = self.describe_main_difference(names).map(Note::new);
        main.into_iter().chain(self.population_note(names)).chain(DifferenceRow::note(&self.rows)).collect()
    }

    /// Returns whether the comparison is of methods on the same scores.
    fn compares_methods(&self) -> bool {
        matches!(self.kind, ComparisonKind::Methods)
    }

    /// Returns a note that points to the target population, if groups are dates or separate samples and
    /// the target is the sample. Questions about change usually concern the population.
    pub(crate) fn population_note(&self, names: &dyn GroupNames) -> Option<Note> {
        let is_over_time_or_samples = match self.kind {
            ComparisonKind::Groups(_) => names.dates().is_some(),
            ComparisonKind::Samples(overlap) => overlap == Overlap::None,
            ComparisonKind::Methods => false,
        };
        let has_sample_target = self.rows.iter().any(|row| row.target == Target::Sample);
        (is_over_time_or_samples && has_sample_target).then(|| {
            Note::new(
                "these differences are between the rows themselves; to ask whether the share has changed in the \
                 population that they were sampled from, choose the target population, which has wider intervals",
            )
        })
    }

    fn title(&self) -> String {
        let reference = self.rows.first().map_or("", |row| &row.reference);
        match &self.kind {
            ComparisonKind::Groups(Reference::Previous) => "Differences from the group before".to_owned(),
            ComparisonKind::Groups(Reference::Total) => "Differences from all groups together".to_owned(),
            ComparisonKind::Groups(Reference::Rest) => "Differences from all other groups together".to_owned(),
            ComparisonKind::Groups(Reference::All) => "Differences".to_owned(),
            ComparisonKind::Groups(Reference::Group(_)) => format!("Differences from {reference}"),
            ComparisonKind::Methods => format!("Differences from {reference} on the same scores"),
            ComparisonKind::Samples(_) => format!("Differences from {}", escape_untrusted(reference)),
        }
    }
}

/// The relation between two samples.
#[derive(Clone, Copy, Debug)]
pub struct SampleRelation {
    /// Whether the models were fitted to the same labelled items.
    pub labelled: LabelRelation,
    /// Whether the test scores belong to the same items.
    pub overlap: Overlap,
}

/// Compares groups with other groups of their level, or with the total or the rest of the level.
///
/// `estimates` has the estimates of each group. `weights` has the weights of the groups; without
/// weights, groups are weighted by their numbers of scores.
pub(crate) fn group_differences(
    executor: &impl Executor,
    (estimates, weights): (&[Estimates], Option<&[f64]>),
    joint: &[(Method, JointErrors)],
    (sets, reference): (&ComparisonSets, &Reference),
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let ComparisonSets { order, ranges } = sets;
    let weights: Option<Vec<f64>> = weights.map(|weights| order.iter().map(|group| weights[*group]).collect());
    let kind = ComparisonKind::Groups(reference.clone());
    let mut differences = DifferenceResult { rows: Vec::new(), references: Vec::new(), kind };
    for (method, joint) in joint {
        let estimates: Vec<&Estimate> = order.iter().map(|group| by_method(&estimates[*group], *method)).collect();
        let contrasts = GroupContrasts::new(joint, &estimates, ranges, reference, weights.as_deref(), options)?;
        let row = |contrast: &Contrast| {
            let (compared, estimate) = (contrasts.compare(*contrast)?, estimates[contrast.group]);
            let (word, share) = reference_share(&compared, ranges, |group| estimates[group].into());
            Ok(DifferenceRow::new(order[contrast.group], word.to_owned(), estimate, share, compared.difference))
        };
        let rows = executor.map(contrasts.contrasts(), row).into_iter().collect::<Result<Vec<_>, Error>>()?;
        let kind = ComparisonKind::Groups(reference.clone());
        let by_method = DifferenceResult::new(rows, kind).with_references(contrasts.contrasts(), order, 1);
        differences.rows.extend(by_method.rows);
        differences.references.extend(by_method.references);
    }
    Ok(differences)
}

/// Returns the word for the reference of a comparison, and its share. `shares` returns those of the groups.
fn reference_share(
    Comparison { contrast, other: prevalence, .. }: &Comparison,
    ranges: &[Range<usize>],
    shares: impl Fn(usize) -> ReferenceShare,
) -> (&'static str, ReferenceShare) {
    let (word, groups) = match contrast.other {
        Comparator::Group(other) => ("", other..other + 1),
        Comparator::Total => ("total", ranges[contrast.level()].clone()),
        Comparator::Rest => ("rest", ranges[contrast.level()].clone()),
    };
    let any = |has: fn(&ReferenceShare) -> bool| groups.clone().any(|group| has(&shares(group)));
    let (is_widened, is_unreliable) = (any(|share| share.is_widened), any(|share| share.is_unreliable));
    (word, ReferenceShare { prevalence: *prevalence, is_widened, is_unreliable })
}

/// Compares the shares of classes in groups as [`group_differences`] compares prevalences.
pub(crate) fn class_differences(
    executor: &impl Executor,
    model: &MulticlassModel,
    (estimates, weights): (&[MulticlassEstimate], Option<&[f64]>),
    (sets, reference): (&ComparisonSets, &Reference),
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let ComparisonSets { order, ranges } = sets;
    let estimates: Vec<&MulticlassEstimate> = order.iter().map(|group| &estimates[*group]).collect();
    let weights: Option<Vec<f64>> = weights.map(|weights| order.iter().map(|group| weights[*group]).collect());
    let contrasts = ClassContrasts::new(model, &estimates, ranges, reference, weights.as_deref(), options)?;
    let rows = |contrast: &Contrast| {
        let comparisons = contrasts.compare(*contrast).into_iter().zip(model.names()).enumerate();
        let row = |(class, (compared, name)): (usize, (Comparison, &String))| {
            let share = |group: usize| ReferenceShare::of_class(estimates[group], class, name);
            let (word, reference) = reference_share(&compared, ranges, share);
            let (group, estimate) = (order[contrast.group], estimates[contrast.group]);
            DifferenceRow::of_class(group, word.to_owned(), (estimate, class, name), reference, compared.difference)
        };
        comparisons.map(row).collect::<Vec<_>>()
    };
    let rows = executor.map(contrasts.contrasts(), rows).into_iter().flatten().collect();
    let differences = DifferenceResult::new(rows, ComparisonKind::Groups(reference.clone()));
    Ok(differences.with_references(contrasts.contrasts(), order, model.names().len()))
}

/// Compares the shares of classes in groups with those of groups of another sample, pair by pair. `name` is the
/// sample's name.
pub(crate) fn class_sample_differences(
    model: &MulticlassModel,
    [groups, others]: [&[MulticlassEstimate]; 2],
    pairs: &[(usize, usize)],
    sample: &str,
    options: &IntervalOptions,
) -> DifferenceResult {
    let rows = pairs.iter().flat_map(|(group, other)| {
        let (estimate, other) = (&groups[*group], &others[*other]);
        let differences = model.differences(estimate, other, options).into_iter().zip(model.names()).enumerate();
        differences.map(move |(class, (difference, name))| {
            let reference = ReferenceShare::of_class(other, class, name);
            DifferenceRow::of_class(*group, sample.to_owned(), (estimate, class, name), reference, difference)
        })
    });
    DifferenceResult::new(rows.collect(), ComparisonKind::Samples(Overlap::None))
}

/// Returns whether the estimate to publish is that of external labels and has a property.
fn is_published(summary: &AuditSummary, property: fn(&Estimate) -> bool) -> bool {
    summary.published().source == AuditSource::External && summary.external.as_ref().is_some_and(property)
}

/// Compares the estimates to publish of audited groups with those of other groups of their level.
///
/// `model` is the model of external labels, if there are any.
///
/// # Errors
/// Returns an error if the reference is the total or the rest, or if there is nothing to compare.
pub fn audit_differences(
    model: Option<&Model>,
    summaries: &[AuditSummary],
    names: &dyn GroupNames,
    comparison: (&ComparisonSets, &Reference),
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let joint = model.map(|model| JointErrors::new(model, Method::ES)).transpose()?;
    let row = |group: usize, other: usize| {
        let difference = summaries[group].difference(&summaries[other], joint.as_ref(), options)?;
        let prevalences = [group, other].map(|group| summaries[group].published().prevalence);
        Ok(DifferenceRow {
            group,
            class: None,
            reference: String::new(),
            method: "recommended".to_owned(),
            prevalences,
            holm: difference.p_value,
            difference,
            is_widened: [group, other].iter().any(|group| is_published(&summaries[*group], is_widened)),
            is_unreliable: [group, other].iter().any(|group| is_published(&summaries[*group], is_unreliable)),
            level: options.level(),
            target: options.target(),
        })
    };
    differences_from_groups("audited groups", names, comparison, row)
}

/// Compares the prevalences of groups from counts with those of other groups of their level. `rows`
/// has the groups in their order, without a total.
///
/// # Errors
/// Returns the errors of [`audit_differences`].
pub fn count_differences(
    rows: &[CountRow],
    names: &dyn GroupNames,
    comparison: (&ComparisonSets, &Reference),
    interval: RateInterval,
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let row = |group: usize, other: usize| {
        let [(rates, estimate), other] = [group, other].map(|group| {
            let row = &rows[group];
            (row.rates.as_ref().expect("a group's rates"), &row.row.estimate)
        });
        let difference = rates.difference(estimate, other, interval, options);
        let row = DifferenceRow::new(group, String::new(), estimate, other.1.into(), difference);
        Ok(DifferenceRow { method: COUNT_METHOD.to_owned(), ..row })
    };
    differences_from_groups("groups from counts", names, comparison, row)
}

/// Compares groups with other groups of their level. `description` names the groups in the error about a
/// total; `row` compares two groups.
fn differences_from_groups(
    description: &'static str,
    names: &dyn GroupNames,
    (sets, reference): (&ComparisonSets, &Reference),
    row: impl Fn(usize, usize) -> Result<DifferenceRow, Error>,
) -> Result<DifferenceResult, Error> {
    if matches!(reference, Reference::Total | Reference::Rest) {
        return Err(AnalysisProblem::ReferenceNotAGroup { description }.into());
    }
    let ComparisonSets { order, ranges } = sets;
    let contrasts = Contrast::in_levels(ranges, reference)?;
    let compare = |contrast: &Contrast| {
        let Comparator::Group(other) = contrast.other else { unreachable!("a reference that is a group") };
        row(order[contrast.group], order[other])
    };
    let rows = contrasts.iter().map(compare).collect::<Result<Vec<_>, Error>>()?;
    let differences = DifferenceResult::new(rows, ComparisonKind::Groups(reference.clone()));
    Ok(differences.with_references(&contrasts, order, 1).named(names))
}

/// Compares every method with the model's first method on the same scores of each group.
///
/// # Errors
/// Returns an error for a method without joint errors.
pub fn method_differences(
    model: &Model,
    groups: &[Estimates],
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let mut methods = model.quantifiers().iter().map(Quantifier::method);
    let first = methods.next().ok_or(Problem::NothingToCompare)?;
    let mut rows = Vec::new();
    for method in methods {
        let joint = JointErrors::for_two_models(model, method, model, first, LabelRelation::Paired)?;
        for (group, estimates) in groups.iter().enumerate() {
            let (estimate, reference) = (by_method(estimates, method), by_method(estimates, first));
            let difference = joint.difference(estimate, reference, Overlap::All, options)?;
            rows.push(DifferenceRow::new(group, first.to_string(), estimate, reference.into(), difference));
        }
    }
    Ok(DifferenceResult::new(rows, ComparisonKind::Methods))
}

/// Compares groups with groups of another sample, pair by pair. The other sample may have its own
/// model; `name` is the sample's name.
///
/// # Errors
/// Returns an error for a method without joint errors.
pub fn sample_differences(
    (model, groups): (&Model, &[Estimates]),
    (other_model, other_groups): (Option<&Model>, &[Estimates]),
    pairs: &[(usize, usize)],
    relation: SampleRelation,
    name: &str,
    options: &IntervalOptions,
) -> Result<DifferenceResult, Error> {
    let mut rows = Vec::new();
    for method in model.quantifiers().iter().map(Quantifier::method) {
        let joint = match other_model {
            None => JointErrors::new(model, method)?,
            Some(other) => JointErrors::for_two_models(model, method, other, method, relation.labelled)?,
        };
        for (group, other) in pairs {
            let estimate = by_method(&groups[*group], method);
            let reference = by_method(&other_groups[*other], method);
            let difference = joint.difference(estimate, reference, relation.overlap, options)?;
            rows.push(DifferenceRow::new(*group, name.to_owned(), estimate, reference.into(), difference));
        }
    }
    Ok(DifferenceResult::new(rows, ComparisonKind::Samples(relation.overlap)))
}

/// Returns the covariance matrix of the groups' estimates, row by row, for groups without common
/// test scores. A covariance without standard errors is NaN.
///
/// The covariance of two estimates is half the difference between the sum of their variances and
/// the variance of their difference.
///
/// # Errors
/// Returns an error for estimates by another method or model.
pub fn covariances(joint: &JointErrors, estimates: &[&Estimate], options: &IntervalOptions) -> Result<Vec<f64>, Error> {
    let n = estimates.len();
    let variance = |estimate: &Estimate| estimate.std_error.map_or(f64::NAN, |se| se.powi(2));
    let mut covariances = vec![f64::NAN; n * n];
    for (row, first) in estimates.iter().enumerate() {
        covariances[row * n + row] = variance(first);
        for (column, second) in estimates.iter().enumerate().skip(row + 1) {
            let variance_of_difference = joint.difference(first, second, Overlap::None, options)?.std_error.powi(2);
            let covariance = 0.5 * (variance(first) + variance(second) - variance_of_difference);
            covariances[row * n + column] = covariance;
            covariances[column * n + row] = covariance;
        }
    }
    Ok(covariances)
}
