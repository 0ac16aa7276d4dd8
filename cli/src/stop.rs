//! Ctrl-C: noticed at once, obeyed at the next safe place.

use anyhow::{Context, Result, bail};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens for Ctrl-C; a second one ends the process at once.
    pub fn on_ctrl_c() -> Result<Self> {
        let stop = Self::default();
        let flag = stop.0.clone();
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(i32::from(crate::ERROR));
            }
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(stop)
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// # Errors
    /// When the user asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_asked() {
            bail!("stopped by Ctrl-C; the store is unchanged, and vectors computed so far are kept for the next run")
        }
        Ok(())
    }
}
