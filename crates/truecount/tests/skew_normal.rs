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
