//! Matrices in the format that numpy reads (NEP 1, version 1.0).

use std::io::{Result, Write};

/// Length of the header, so that the numbers start at byte 128.
const HEADER: usize = 118;

/// Writes rows of `columns` numbers each.
///
/// # Errors
/// Those of `out`.
pub fn write_npy(out: &mut impl Write, columns: usize, data: &[f32]) -> Result<()> {
    let rows = data.len() / columns.max(1);
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&[HEADER.to_le_bytes()[0], 0])?;
    writeln!(out, "{header:<width$}", width = HEADER - 1)?;
    data.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
