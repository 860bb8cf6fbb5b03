//! JSON form of a model.
//!
//! The JSON holds the settings and the labelled scores, from which reading it fits the model again.
//! For its human readers it also holds the results (parameters, thresholds, regions, rates), which
//! reading it ignores, and it ends with a checksum of all contents.

use super::{Label, Model, Settings};
use crate::checksum::checksum;
use crate::distribution::{Family, ScoreDistribution};
use crate::quantifier::{CalibrationBin, Method, Quantifier, RateSource, Threshold};
use crate::sweep::{MinSeparation, Separation};
use crate::{Error, LabelledScores, Problem, Transform};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const FORMAT: &str = "truecount model";
/// Version of a model whose labelled scores have neither weights nor clusters; older programs read
/// it, too.
const PLAIN_VERSION: u32 = 2;
/// Version of a model whose labelled scores have weights or clusters.
const VERSION: u32 = 3;

impl Model {
    /// Converts the model to JSON.
    pub fn to_json(&self) -> String {
        let mut text = ModelText {
            format: FORMAT.to_owned(),
            version: if self.labelled().design().is_some() { VERSION } else { PLAIN_VERSION },
            written_by: concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned(),
            settings: SettingsText::from_settings(&self.0.settings),
            learnt: self.parameters(),
            positive: self.0.positive.clone(),
            labelled: self.labelled().clone(),
            checksum: String::new(),
        };
        text.checksum = text.expected_checksum();
        serde_json::to_string_pretty(&text).expect("a model has nothing that JSON cannot hold") + "\n"
    }

    /// Reads a model from the JSON that [`to_json`](Self::to_json) has written. On the same
    /// machine, its estimates are equal to the last bit.
    ///
    /// # Errors
    /// Returns [`Problem::NotAModel`] for other contents; [`Problem::ModelOfOtherVersion`] for a version
    /// that this program does not read; and [`Problem::ModelDamaged`] if the checksum does not
    /// match, a method is named more than once, or the model cannot be fitted again.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let damaged = |reason: &dyn ToString| Problem::ModelDamaged { reason: reason.to_string() }.into();
        // Format and version decide on the error, whatever else the JSON holds.
        let head = match serde_json::from_str(json) {
            Ok(head) => head,
            Err(e) if json.contains(FORMAT) => return Err(damaged(&e)),
            Err(e) if e.is_data() => Head::default(),
            Err(e) => return Err(Problem::NotAModel { reason: format!("it is not JSON ({e})") }.into()),
        };
        if head.format.as_deref() != Some(FORMAT) {
            return Err(Problem::NotAModel { reason: format!("it has no \"format\": \"{FORMAT}\"") }.into());
        }
        match head.version.as_u64() {
            None | Some(0) => return Err(damaged(&"it has no version number")),
            Some(version) if !(u64::from(PLAIN_VERSION)..=u64::from(VERSION)).contains(&version) => {
                return Err(Problem::ModelOfOtherVersion { found: version, known: VERSION }.into());
            }
            Some(_) => {}
        }
        let text: ModelText = serde_json::from_str(json).map_err(|e| damaged(&e))?;
        if text.checksum != text.expected_checksum() {
            return Err(damaged(&"its contents do not match its checksum"));
        }
        let SettingsText { methods, family, transform, anchor, cutoff } = text.settings;
        let methods = methods.iter().map(MethodText::method).collect::<Result<Vec<_>, _>>();
        let is_repeated = |methods: &Vec<Method>| (1..methods.len()).any(|i| methods[..i].contains(&methods[i]));
        if methods.as_ref().is_ok_and(is_repeated) {
            return Err(damaged(&"it names a method more than once"));
        }
        methods
            .and_then(|methods| {
                let settings = Settings { methods, skip_unavailable: false, family, transform, rates: anchor, cutoff };
                Self::fit_to_any_labels(&text.labelled, &settings)
            })
            .map(|model| match text.positive {
                Some(label) => model.with_positive(label),
                None => model,
            })
            .map_err(|e| damaged(&e))
    }

    /// The model's fingerprint: the checksum, 16 hexadecimal digits, of the settings and the
    /// labelled scores.
    ///
    /// It is the same on every machine and in every version. The checksum of a model file is not,
    /// as it also covers the last digits of the results.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.fingerprint_number())
    }

    /// The fingerprint as a number, as in the state of a tally.
    pub fn fingerprint_number(&self) -> u64 {
        *self
            .0
            .fingerprint
            .get_or_init(|| checksum_json(&(SettingsText::from_settings(&self.0.settings), self.labelled())))
    }

    /// The results of the fit as JSON, for people and other programs: families and their
    /// parameters, thresholds, regions, rates.
    pub fn parameters_json(&self) -> String {
        self.parameters().to_string()
    }

    fn parameters(&self) -> Value {
        let separation = self.separation();
        let methods: Map<String, Value> =
            self.0.quantifiers.iter().map(|q| (q.method().to_string(), Value::Object(method_parameters(q)))).collect();
        let (counts, labelled) = (self.labelled_counts(), self.labelled());
        let effective = labelled.weights().map(|_| labelled.effective_sizes());
        let rank = |ranking: &Vec<(Family, f64)>| {
            ranking.iter().map(|(family, mean)| (family.to_string(), json!(mean))).collect::<Map<_, _>>()
        };
        let ranking = match self.0.settings.family {
            Family::Auto => self.0.training.ranking().ok().map(|ranking| ranking.map(rank)),
            _ => None,
        };
        let mut parameters = json!({
            "family": separation.map(|_| self.0.settings.family),
            "held_out_log_density": ranking,
            "transform": self.0.settings.transform,
            "rates": self.0.settings.rates,
            "posteriors": self.posteriors(),
            "positive": separation.map(|s| distribution_parameters(s.positive())),
            "negative": separation.map(|s| distribution_parameters(s.negative())),
            "max_j": separation.map(Separation::max_j),
            "n_pos": counts.positive,
            "n_neg": counts.negative,
            "methods": methods,
        });
        if let Some(effective) = effective {
            parameters["n_eff_pos"] = json!(effective.positive);
            parameters["n_eff_neg"] = json!(effective.negative);
        }
        if let Some(clusters) = labelled.cluster_count() {
            parameters["clusters"] = json!(clusters);
        }
        if let Some(strata) = labelled.stratum_count() {
            parameters["strata"] = json!(strata);
        }
        parameters
    }
}

/// Returns a distribution's parameters, without the scores of a kernel density.
fn distribution_parameters(distribution: &ScoreDistribution) -> Value {
    let mut parameters = json!(distribution);
    if let Some(map) = parameters.as_object_mut() {
        map.remove("scores");
    }
    parameters
}

fn method_parameters(quantifier: &Quantifier) -> Map<String, Value> {
    let mut map = Map::new();
    if let Some(sweep) = quantifier.sweep() {
        map.insert("threshold".to_owned(), json!(sweep.threshold().value()));
        map.insert("region".to_owned(), json!(sweep.region().intervals()));
    }
    if let Some(sweep) = quantifier.binned_sweep() {
        let bins = sweep.bins();
        let values = |value: fn(&CalibrationBin) -> Option<f64>| bins.iter().filter_map(value).collect::<Vec<f64>>();
        map.insert("edges".to_owned(), json!(values(|bin| bin.from)));
        map.insert("log_ratios".to_owned(), json!(values(|bin| Some(bin.log_ratio))));
    }
    map.extend(quantifier.parameters().into_iter().map(|(name, value)| (name.to_owned(), json!(value))));
    map.insert("variance".to_owned(), json!(quantifier.variance_sources()));
    map
}

/// Format and version of a file, whatever else it holds.
#[derive(Default, Deserialize)]
struct Head {
    format: Option<String>,
    #[serde(default)]
    version: Value,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelText {
    format: String,
    version: u32,
    written_by: String,
    settings: SettingsText,
    learnt: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    positive: Option<Label>,
    labelled: LabelledScores,
    checksum: String,
}

fn checksum_json(text: &impl Serialize) -> u64 {
    checksum(serde_json::to_string(text).expect("a model has nothing that JSON cannot hold").bytes())
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsText {
    methods: Vec<MethodText>,
    family: Family,
    transform: Transform,
    anchor: Option<RateSource>,
    cutoff: Option<f64>,
}

impl SettingsText {
    fn from_settings(settings: &Settings) -> Self {
        let Settings { methods, family, transform, rates, cutoff, .. } = settings;
        Self {
            methods: methods.iter().map(|method| MethodText::from_method(*method)).collect(),
            family: *family,
            transform: *transform,
            anchor: *rates,
            cutoff: *cutoff,
        }
    }
}

/// A method by its name; `cs` with its threshold.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum MethodText {
    Name(String),
    WithThreshold { method: String, threshold: f64 },
}

impl MethodText {
    fn from_method(method: Method) -> Self {
        let name = method.to_string();
        match method.threshold() {
            Some(p) => Self::WithThreshold { method: name, threshold: p.value() },
            None => Self::Name(name),
        }
    }

    fn method(&self) -> Result<Method, Error> {
        match self {
            Self::Name(name) => name.parse(),
            Self::WithThreshold { method, threshold } if method == "cs" => {
                Ok(Method::continuous_sweep(Threshold::Fixed(MinSeparation::new(*threshold)?)))
            }
            Self::WithThreshold { method, .. } => method.parse(),
        }
    }
}

impl ModelText {
    /// The checksum, in hexadecimal, of the compact JSON with an empty checksum.
    fn expected_checksum(&self) -> String {
        let unsigned = Self { checksum: String::new(), ..self.clone() };
        format!("{:016x}", checksum_json(&unsigned))
    }
}
