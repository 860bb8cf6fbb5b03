//! The skew-normal distribution (Azzalini 1985): f(x) = (2/ω) φ(z) Φ(αz), z = (x−ξ)/ω.
//!
//! For α ≥ 0, with W the mass in a wedge (`numeric::wedge`, W(h, a) = P(Z > h) − 2T(h, a), T Owen's
//! function), and the mirror image for α < 0:
//!
//! * z < 0: P(S < x) = W(−z, α), the light tail;
//! * z ≥ 0: P(S ≥ x) = 2 P(Z > z) − W(z, α), the heavy tail; P(S < x) = erf(z/√2) + W(z, α).
//!
//! No digits cancel, as W is at most P(Z > z). At α = ±∞ the density is a half-normal, with all its
//! mass on one side of ξ.

mod fit;

use super::{Distribution, check_location_and_scale};
use crate::Error;
use crate::numeric::{gauss, wedge::Wedge};
use crate::random::{Bits, RandomBits};
use rand_distr::{Distribution as _, StandardNormal};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, LN_2, PI};

/// The |α| below which the derivatives with respect to ξ, ω and α are too close to linearly dependent for doubles.
const NEARLY_NORMAL: f64 = 1e-3;

/// A skew-normal distribution in the direct parameters: location ξ, scale ω, shape α.
///
/// The serialised form has the three parameters by name; an infinite shape is written `"infinity"` or `"-infinity"`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SkewNormalParameters", into = "SkewNormalParameters")]
pub struct SkewNormal {
    location: f64,
    scale: f64,
    shape: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkewNormalParameters {
    location: f64,
    scale: f64,
    shape: ShapeParameter,
}

/// The shape in serialised form; infinities are texts, since JSON has no infinite numbers.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ShapeParameter {
    Finite(f64),
    Limit(InfiniteShape),
}

#[derive(Serialize, Deserialize)]
enum InfiniteShape {
    #[serde(rename = "infinity")]
    Right,
    #[serde(rename = "-infinity")]
    Left,
}

impl TryFrom<SkewNormalParameters> for SkewNormal {
    type Error = Error;

    fn try_from(p: SkewNormalParameters) -> Result<Self, Error> {
        let shape = match p.shape {
            ShapeParameter::Finite(shape) => shape,
            ShapeParameter::Limit(InfiniteShape::Right) => f64::INFINITY,
            ShapeParameter::Limit(InfiniteShape::Left) => f64::NEG_INFINITY,
        };
        Self::new(p.location, p.scale, shape)
    }
}

impl From<SkewNormal> for SkewNormalParameters {
    fn from(s: SkewNormal) -> Self {
        let shape = match s.shape {
            f64::INFINITY => ShapeParameter::Limit(InfiniteShape::Right),
            f64::NEG_INFINITY => ShapeParameter::Limit(InfiniteShape::Left),
            shape => ShapeParameter::Finite(shape),
        };
        Self { location: s.location, scale: s.scale, shape }
    }
}

impl SkewNormal {
    /// Creates a skew-normal distribution from its location ξ, scale ω and shape α.
    ///
    /// ξ and ω are in units of the score; α has no unit and is 0 for a normal and ±∞ for a half-normal.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) unless |location| ≤ 1e150,
    /// 1e-150 ≤ scale ≤ 1e150, and shape is a number or infinite.
    pub fn new(location: f64, scale: f64, shape: f64) -> Result<Self, Error> {
        check_location_and_scale(("location", location), ("scale", scale))?;
        Error::unless_in_domain(!shape.is_nan(), ("shape", shape), "a number or infinite")?;
        Ok(Self { location, scale, shape })
    }

    /// Creates a skew-normal distribution from its mean, standard deviation and shape α.
    ///
    /// Mean and standard deviation are in units of the score: ω = sd/√(1−m²) and ξ = mean − ωm,
    /// where m = √(2/π) α/√(1+α²) is the mean at ξ = 0, ω = 1.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if the resulting ξ, ω or α
    /// is outside the range of [`new`](Self::new).
    pub fn centred(mean: f64, sd: f64, shape: f64) -> Result<Self, Error> {
        let m = standard_mean(shape);
        let scale = sd / (1.0 - m * m).sqrt();
        Self::new(mean - scale * m, scale, shape)
    }

    /// Returns the location ξ, in units of the score.
    pub fn location(&self) -> f64 {
        self.location
    }

    /// Returns the scale ω, in units of the score.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the shape α, which has no unit and may be infinite.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// Returns whether the light tail is the upper one; everything is then computed for the mirror image.
    fn is_left_skewed(&self) -> bool {
        self.shape < 0.0
    }

    /// Returns z and |α| for the orientation whose light tail is the lower one.
    fn standardised(&self, x: f64) -> (f64, f64) {
        let z = (x - self.location) / self.scale;
        (if self.is_left_skewed() { -z } else { z }, self.shape.abs())
    }

    /// Returns the score at the standardised z.
    fn score(&self, z: f64) -> f64 {
        self.location + self.scale * if self.is_left_skewed() { -z } else { z }
    }
}

/// Returns the mean at ξ = 0, ω = 1: √(2/π) α/√(1+α²).
fn standard_mean(shape: f64) -> f64 {
    let delta = if shape.is_infinite() { shape.signum() } else { shape / shape.hypot(1.0) };
    FRAC_2_PI.sqrt() * delta
}

/// Returns both tails for ξ = 0, ω = 1 and shape a ≥ 0, the smaller tail to full relative accuracy.
fn tails(z: f64, a: f64) -> (f64, f64) {
    if z < 0.0 {
        let lower = Wedge::new(-z, a).value();
        return (lower, 1.0 - lower);
    }
    let wedge = Wedge::new(z, a).value();
    let upper = 2.0 * gauss::tails(z).1 - wedge;
    if upper <= 0.5 {
        return (1.0 - upper, upper);
    }
    let lower = libm::erf(z * FRAC_1_SQRT_2) + wedge;
    (lower, 1.0 - lower)
}

/// Returns ln P(Z < z) for ξ = 0, ω = 1 and shape a ≥ 0.
fn ln_lower(z: f64, a: f64) -> f64 {
    if z < 0.0 {
        return Wedge::new(-z, a).ln();
    }
    let (lower, upper) = tails(z, a);
    if lower < upper { lower.ln() } else { (-upper).ln_1p() }
}

/// Returns ln P(Z ≥ z) for ξ = 0, ω = 1 and shape a ≥ 0.
fn ln_upper(z: f64, a: f64) -> f64 {
    if z < 0.0 {
        return (-Wedge::new(-z, a).value()).ln_1p();
    }
    let (lower, upper) = tails(z, a);
    if lower < upper {
        return (-lower).ln_1p();
    }
    if upper > f64::MIN_POSITIVE {
        return upper.ln();
    }
    let ln_tail = gauss::ln_cdf(-z);
    LN_2 + ln_tail + (-0.5 * (Wedge::new(z, a).ln() - ln_tail).exp()).ln_1p()
}

/// Returns the log-density ln 2φ(z)Φ(az), a ≥ 0.
fn ln_density(z: f64, a: f64) -> f64 {
    let skew = if a.is_finite() {
        gauss::ln_cdf(a * z)
    } else if z < 0.0 {
        f64::NEG_INFINITY
    } else {
        0.0
    };
    LN_2 + gauss::ln_pdf(z) + skew
}

/// Returns the z with P(Z < z) = p for ξ = 0, ω = 1 and shape a ≥ 0.
fn lower_quantile(p: f64, a: f64) -> f64 {
    if p > 0.5 {
        return upper_quantile(1.0 - p, a);
    }
    let at_zero = a.recip().atan() / PI;
    // The search starts below the root: W(h, a) ≤ W(0, a) e^(−h²(1+a²)/2), and the density is at most √(2/π).
    let start = if p < at_zero {
        -(2.0 * (at_zero.ln() - p.ln())).sqrt() / a.hypot(1.0)
    } else {
        (p - at_zero) / FRAC_2_PI.sqrt()
    };
    climb(start, p.ln(), |z| (ln_lower(z, a), ln_density(z, a)))
}

/// Returns the z with P(Z ≥ z) = q for ξ = 0, ω = 1 and shape a ≥ 0.
fn upper_quantile(q: f64, a: f64) -> f64 {
    if q > 0.5 {
        return lower_quantile(1.0 - q, a);
    }
    // The search starts above the root, since the tail is at most twice the normal's; the mirror
    // image is climbed like the lower tail. (q − q/2 is a q/2 that does not underflow to 0.)
    -climb(gauss::quantile(q - 0.5 * q), q.ln(), |z| (ln_upper(-z, a), ln_density(-z, a)))
}

/// Solves ln F(z) = target by Newton's method from a point below the root.
///
/// `f` returns ln F and ln F′. ln F is concave, so no step overshoots; a step that does not rise is mere rounding.
fn climb(start: f64, target: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut z = start;
    // Ten steps usually suffice; the bound guards against NaN.
    for _ in 0..100 {
        let (ln_cdf, ln_pdf) = f(z);
        let step = (target - ln_cdf) * (ln_cdf - ln_pdf).exp();
        let next = z + step;
        if next.is_nan() || step <= f64::EPSILON * z.abs() {
            break;
        }
        z = next;
    }
    z
}

impl Distribution for SkewNormal {
    fn tails(&self, x: f64) -> (f64, f64) {
        let (z, a) = self.standardised(x);
        let (lower, upper) = tails(z, a);
        if self.is_left_skewed() { (upper, lower) } else { (lower, upper) }
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        let (z, a) = self.standardised(x);
        ln_density(z, a) - self.scale.ln()
    }

    fn inverse_cdf(&self, p: f64) -> f64 {
        let a = self.shape.abs();
        self.score(if self.is_left_skewed() { upper_quantile(p, a) } else { lower_quantile(p, a) })
    }

    fn inverse_sf(&self, q: f64) -> f64 {
        let a = self.shape.abs();
        self.score(if self.is_left_skewed() { lower_quantile(q, a) } else { upper_quantile(q, a) })
    }

    /// Points 2 light-tail scales 1/√(1+α²) apart, up to where Φ(αz) rounds to 1; beyond that, 2
    /// heavy-tail scales apart.
    fn landmarks(&self) -> Vec<f64> {
        let light = self.shape.hypot(1.0).recip();
        let near = (-4..=4).map(|k| 2.0 * f64::from(k) * light);
        let far = (1..=4).map(|k| 2.0 * f64::from(k)).filter(|z| *z > 8.0 * light);
        let mut landmarks: Vec<f64> = near.chain(far).map(|z| self.score(z)).collect();
        landmarks.sort_unstable_by(f64::total_cmp);
        landmarks.dedup();
        landmarks
    }

    fn boundary(&self) -> Option<&'static str> {
        self.shape().is_infinite().then_some("half-normal")
    }

    /// Draws δ|U| + √(1−δ²) V with U, V standard normal and δ = α/√(1+α²) (Henze 1986).
    fn sample(&self, bits: &mut dyn RandomBits) -> f64 {
        let mut rng = Bits(bits);
        let (u, v): (f64, f64) = (StandardNormal.sample(&mut rng), StandardNormal.sample(&mut rng));
        let a = self.shape.abs();
        let light = a.hypot(1.0).recip();
        let delta = if a.is_finite() { a * light } else { 1.0 };
        self.score(delta * u.abs() + light * v)
    }

    /// Close to the normal, the three derivatives are nearly linearly dependent, and the cubic is their limiting
    /// direction (Azzalini 1985, §4). In the half-normal limit, likelihood theory does not hold and the limit is mostly
    /// an accident of the sample, so the fit counts as nonparametric.
    fn tangents(&self, x: f64) -> Option<[f64; 3]> {
        let (z, a) = self.standardised(x);
        if a.is_infinite() {
            return None;
        }
        if a < NEARLY_NORMAL {
            return Some([z, z * z, z.powi(3)]);
        }
        let slope = gauss::ln_cdf_and_slope(a * z).1;
        Some([z - a * slope, z * (z - a * slope), z * slope])
    }

    fn support(&self) -> (f64, f64) {
        match self.shape {
            f64::INFINITY => (self.location, f64::INFINITY),
            f64::NEG_INFINITY => (f64::NEG_INFINITY, self.location),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}
