//! Aggregates that `SQLite` lacks.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::{Connection, Result};

/// Registers `median(x)` and `stddev(x)`, over the numbers among `x`; of no numbers both are null.
pub(super) fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("median", 1, flags, Numbers(median))?;
    connection.create_aggregate_function("stddev", 1, flags, Numbers(stddev))
}

struct Numbers(fn(&mut [f64]) -> Option<f64>);

impl Aggregate<Vec<f64>, Option<f64>> for Numbers {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<f64>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, numbers: &mut Vec<f64>) -> Result<()> {
        numbers.extend(context.get::<Option<f64>>(0).unwrap_or(None));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, numbers: Option<Vec<f64>>) -> Result<Option<f64>> {
        Ok(numbers.and_then(|mut numbers| (self.0)(&mut numbers)))
    }
}

/// The middle number, or the mean of the two in the middle. O(n log n).
fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = numbers.get(middle)?;
    Some(if numbers.len().is_multiple_of(2) {
        f64::midpoint(numbers[middle - 1], *upper)
    } else {
        *upper
    })
}

/// Standard deviation of a sample (n − 1 below); of one number there is none.
fn stddev(numbers: &mut [f64]) -> Option<f64> {
    let n = numbers.len() as f64;
    if n < 2.0 {
        return None;
    }
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    Some((squares / (n - 1.0)).sqrt())
}
