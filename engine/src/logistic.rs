//! Fitting of logistic models: a smooth loss, minimised by L-BFGS (Liu and Nocedal, 1989).
//!
//! Exact enough, deterministic, and without a step size to choose. What a model's rows look like is for its owner: here
//! is only the descent.

/// Steps remembered. The usual number.
const MEMORY: usize = 8;
const MAX_STEPS: usize = 80;
const MAX_HALVINGS: usize = 30;
/// Relative gain below which fitting ends.
const TOLERANCE: f64 = 1e-6;
/// Share of the expected gain that a step must bring (Armijo).
const ARMIJO: f64 = 1e-4;

/// The point where `loss` is least, searched from `start`. `loss` gives its value at a point and writes its gradient,
/// which has the length of `start`. Cost O(steps · (loss + length)).
///
/// ```
/// use banyan_engine::logistic::minimise;
///
/// let found = minimise(vec![0.0], |at, gradient| {
///     gradient[0] = 2.0 * (at[0] - 3.0);
///     (at[0] - 3.0).powi(2)
/// });
/// assert!((found[0] - 3.0).abs() < 1e-6);
/// ```
pub fn minimise(start: Vec<f64>, mut loss: impl FnMut(&[f64], &mut [f64]) -> f64) -> Vec<f64> {
    let n = start.len();
    let mut at = start;
    let mut gradient = vec![0.0; n];
    let mut value = loss(&at, &mut gradient);
    let mut memory: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
    for _ in 0..MAX_STEPS {
        let direction = direction(&gradient, &memory);
        let slope = dot(&direction, &gradient);
        if slope >= 0.0 {
            break;
        }
        let mut step = if memory.is_empty() {
            1.0 / dot(&gradient, &gradient).sqrt().max(1.0)
        } else {
            1.0
        };
        let mut next = at.clone();
        let mut next_gradient = vec![0.0; n];
        let mut next_value = value;
        let mut is_found = false;
        for _ in 0..MAX_HALVINGS {
            for i in 0..n {
                next[i] = at[i] + step * direction[i];
            }
            next_value = loss(&next, &mut next_gradient);
            if next_value <= value + ARMIJO * step * slope {
                is_found = true;
                break;
            }
            step *= 0.5;
        }
        if !is_found {
            break;
        }
        let moved: Vec<f64> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
        let turned: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let curvature = dot(&moved, &turned);
        if curvature > 1e-12 {
            if memory.len() == MEMORY {
                memory.remove(0);
            }
            memory.push((moved, turned, 1.0 / curvature));
        }
        let gain = value - next_value;
        let before = value;
        (at, gradient, value) = (next, next_gradient, next_value);
        if gain <= TOLERANCE * before.abs().max(1.0) {
            break;
        }
    }
    at
}

/// The two-loop recursion.
fn direction(gradient: &[f64], memory: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.to_vec();
    let mut alphas = Vec::new();
    for (moved, turned, rho) in memory.iter().rev() {
        let alpha = rho * dot(moved, &q);
        for (q, turned) in q.iter_mut().zip(turned) {
            *q -= alpha * turned;
        }
        alphas.push(alpha);
    }
    if let Some((moved, turned, _)) = memory.last() {
        let scale = dot(moved, turned) / dot(turned, turned).max(1e-300);
        for q in &mut q {
            *q *= scale;
        }
    }
    for ((moved, turned, rho), alpha) in memory.iter().zip(alphas.iter().rev()) {
        let beta = rho * dot(turned, &q);
        for (q, moved) in q.iter_mut().zip(moved) {
            *q += (alpha - beta) * moved;
        }
    }
    for q in &mut q {
        *q = -*q;
    }
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
