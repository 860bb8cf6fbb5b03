//! scratch
use serde_json::Value;
use truecount::distribution::{Distribution, SkewNormal, Normal};
use truecount::Class;
fn read(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap_or_else(|| panic!("{value}")).parse().unwrap())
}
#[test]
fn scratch() {
    let file = read("skew_normal");
    for set in file["sets"].as_array().unwrap() {
        let s = SkewNormal::new(number(&set["xi"]), number(&set["omega"]), number(&set["alpha"])).unwrap();
        let mut worst = [(0.0, 0.0); 6];
        for p in set["points"].as_array().unwrap() {
            let x = number(&p["x"]);
            let t = s.tails(x);
            for (i, (k, v)) in [("pdf", s.pdf(x)), ("cdf", t.0), ("sf", t.1), ("log_pdf", s.ln_pdf(x)), ("log_cdf", s.ln_cdf(x)), ("log_sf", s.ln_sf(x))].into_iter().enumerate() {
                let e = number(&p[k]);
                if e.abs() < f64::MIN_POSITIVE { assert!(v.abs() < 1e-60); continue; }
                let r = (v / e - 1.0).abs();
                if !(r <= worst[i].0) { worst[i] = (r, x); }
            }
        }
        println!("{} {:?}", set["alpha"], worst);
    }
    for fit in file["mle_fits"].as_array().unwrap() {
        let y: Vec<f64> = fit["y"].as_array().unwrap().iter().map(number).collect();
        let f = SkewNormal::fit(Class::Positive, &y).unwrap();
        let ll: f64 = y.iter().map(|y| f.ln_pdf(*y)).sum();
        println!("{:?} {:.3e} {}", f, ll - number(&fit["mle"]["logL"]), fit["mle"]);
        println!("{:?}", SkewNormal::fit_shape(Class::Positive, &y).unwrap());
    }
}
#[test]
fn speed() {
    use std::time::Instant;
    let n = Normal::new(0.0, 1.0).unwrap();
    let run = |name: &str, d: &dyn Distribution| {
        let xs: Vec<f64> = (0..20000).map(|i| -4.0 + 8.0 * f64::from(i) / 20000.0).collect();
        let t = Instant::now();
        let s: f64 = xs.iter().map(|x| d.ln_pdf(*x)).sum();
        let a = t.elapsed();
        let t = Instant::now();
        let s2: f64 = xs.iter().map(|x| d.tails(*x).0).sum();
        let b = t.elapsed();
        let t = Instant::now();
        let s3: f64 = xs.iter().map(|x| d.quantile((x + 4.00001) / 8.0001)).sum();
        let c = t.elapsed();
        println!("{name} ln_pdf {:?} tails {:?} quantile {:?} {}", a / 20000, b / 20000, c / 20000, s + s2 + s3);
    };
    run("normal", &n);
    for a in [0.0, 1.0, -2.0, 10.0, 200.0, f64::INFINITY] { run(&format!("{a}"), &SkewNormal::new(0.0, 1.0, a).unwrap()); }
    use rand::SeedableRng;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for a in [0.0, 0.5, 2.0, 10.0, f64::INFINITY] {
        let d = SkewNormal::new(0.0, 1.0, a).unwrap();
        let y: Vec<f64> = (0..1600).map(|_| d.sample(&mut rng)).collect();
        let t = Instant::now();
        for _ in 0..10 { std::hint::black_box(SkewNormal::fit(Class::Positive, &y).unwrap()); }
        let e = t.elapsed() / 10;
        let t = Instant::now();
        for _ in 0..10 { std::hint::black_box(SkewNormal::fit_shape(Class::Positive, &y).unwrap()); }
        println!("{a}: fit {e:?} shape {:?} {:?}", t.elapsed() / 10, SkewNormal::fit(Class::Positive, &y).unwrap());
    }
}
#[test]
fn dump() {
    let Ok(text) = std::fs::read_to_string("/tmp/hA-points.txt") else { return };
    let mut out = String::new();
    for line in text.lines() {
        let v: Vec<f64> = line.split(' ').map(|t| t.parse().unwrap()).collect();
        let s = SkewNormal::new(0.0, 1.0, v[1]).unwrap();
        let t = s.tails(v[0]);
        out += &format!("{:e} {:e} {:e} {:e} {:e} {:e}\n", v[0], v[1], t.0, t.1, s.ln_cdf(v[0]), s.ln_sf(v[0]));
    }
    std::fs::write("/tmp/hA-out.txt", out).unwrap();
}
#[test]
fn one_fit() {
    use rand::SeedableRng;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for a in [0.0, 0.5, 2.0, 10.0, f64::INFINITY] {
        let d = SkewNormal::new(0.0, 1.0, a).unwrap();
        let y: Vec<f64> = (0..1600).map(|_| d.sample(&mut rng)).collect();
        eprintln!("shape {a}");
        eprintln!("{:?}", SkewNormal::fit(Class::Positive, &y).unwrap());
    }
}
#[test]
fn sweeps() {
    use truecount::distribution::ScoreDistribution;
    use truecount::quantifier::{ContinuousSweep, Threshold};
    use truecount::sweep::{PDelta, Separation, optimal_region};
    for case in read("skew_normal_sweep").as_array().unwrap() {
        let class = |c: &str| -> ScoreDistribution { SkewNormal::new(number(&case[format!("xi_{c}")]), number(&case[format!("omega_{c}")]), number(&case[format!("alpha_{c}")])).unwrap().into() };
        let t = std::time::Instant::now();
        let sep = Separation::new(class("pos"), class("neg")).unwrap();
        let e = t.elapsed();
        println!("{} {e:?} maxD {:.1e} theta_max {:.1e}", case["name"], sep.max_j() - number(&case["max_D"]), sep.theta_max() - number(&case["theta_max"]));
        let p = optimal_region(&sep, 0.5).unwrap().threshold();
        println!("   p* {:.1e} {:?}", p.value() - number(&case["opt_alpha=0.5"]["pDelta"]), t.elapsed());
        for (k, p) in [("p=0.25", PDelta::TRADITIONAL), ("opt_alpha=0.5", p), ("opt_alpha=0.5", PDelta::new(number(&case["opt_alpha=0.5"]["pDelta"])).unwrap())] {
            let g = &case[k];
            let t = std::time::Instant::now();
            let s = ContinuousSweep::new(&sep, Threshold::Fixed(p)).unwrap();
            let e = t.elapsed();
            let r = s.region().intervals();
            let m = s.moments();
            println!("   {k} {} l {:.1e} r {:.1e} c {:.1e} V+ {:.1e} V- {:.1e} {e:?}", r.len(), r[0][0] - number(&g["theta_l"]), r[0][1] - number(&g["theta_r"]), m.negative.mean - number(&g["c"]), m.positive.variance - number(&g["Var_pos_g"]), m.negative.variance - number(&g["Var_neg_g"]));
        }
    }
}
#[test]
fn quantiles() {
    for a in [0.0, 0.05, 1.0, 2.0, -4.0, 50.0, 1e4, -1e12, f64::INFINITY, f64::NEG_INFINITY] {
        let s = SkewNormal::new(0.0, 1.0, a).unwrap();
        let mut worst: (f64, f64) = (0.0, 0.0);
        for p in [5e-324, 1e-310, 1e-300, 1e-200, 1e-100, 1e-30, 1e-10, 1e-4, 0.01, 0.03, 0.2, 0.4, 0.5, 0.6, 0.9, 0.999] {
            let (x, y) = (s.quantile(p), s.upper_quantile(p));
            let e1 = (s.tails(x).0 / p - 1.0).abs(); let e2 = (s.tails(y).1 / p - 1.0).abs();
            if p > 1e-300 && !(e1.max(e2) <= worst.0) { worst = (e1.max(e2), p); }
            assert!(x.is_finite() && y.is_finite(), "{a} {p}");
        }
        println!("{a}: {worst:?}");
    }
}
#[test]
fn brute() {
    use rand::{SeedableRng, RngExt as _};
    use truecount::distribution::SkewNormal;
    // many samples: compare with a dense multistart by profile in xi
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut worst: f64 = 0.0;
    let mut limits = 0;
    let mut slow = std::time::Duration::ZERO;
    for rep in 0..700 {
        let n = [3, 4, 5, 8, 12, 20, 30, 60, 150, 400][rep % 10];
        let kind = (rep / 10) % 8;
        let y: Vec<f64> = (0..n).map(|_| {
            let d = SkewNormal::new(0.0, 1.0, [0.0, 1.0, -3.0, 8.0, 30.0, f64::INFINITY, 0.0, 0.0][kind]).unwrap().sample(&mut rng);
            match kind { 6 => d.powi(3), 7 => if rng.random::<f64>() < 0.5 { d } else { d * 0.1 + 2.0 }, _ => d }
        }).collect();
        let t = std::time::Instant::now();
        let f = SkewNormal::fit(Class::Positive, &y).unwrap();
        slow = slow.max(t.elapsed());
        if f.shape().is_infinite() { limits += 1; }
        let ll = |f: &SkewNormal| y.iter().map(|y| f.ln_pdf(*y)).sum::<f64>();
        let found = ll(&f);
        // profile over xi: lambda by ternary/newton on concave function
        let (lo, hi) = (y.iter().copied().fold(f64::INFINITY, f64::min), y.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let mut best = (f64::NEG_INFINITY, 0.0, 0.0, 0.0);
        for k in 0..600 {
            let u = (f64::from(k) + 0.5) / 600.0;
            // denser at the ends
            let w = 0.5 - 0.5 * (std::f64::consts::PI * u).cos();
            let w = 0.5 - 0.5 * (std::f64::consts::PI * w).cos();
            let xi = lo + (hi - lo) * w;
            let om = (y.iter().map(|y| (y - xi).powi(2)).sum::<f64>() / y.len() as f64).sqrt();
            let at = |t: f64| SkewNormal::new(xi, om, t.tan()).map_or(f64::NEG_INFINITY, |s| ll(&s));
            let (mut a, mut b) = (-1.5707, 1.5707);
            for _ in 0..45 { let (c, d) = (a + (b - a) * 0.382, b - (b - a) * 0.382); if at(c) > at(d) { b = d } else { a = c } }
            let v = at(0.5 * (a + b));
            if v > best.0 { best = (v, xi, om, (0.5 * (a + b)).tan()); }
        }
        if best.0 - found > 1e-9 { println!("rep {rep} n {n} kind {kind}: found {f:?} {found}, better {best:?} by {}", best.0 - found); }
        worst = worst.max(best.0 - found);
    }
    println!("worst {worst:e}, limits {limits} slowest {slow:?}");
}
