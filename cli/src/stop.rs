//! A wish to stop: noticed at once, obeyed at the next safe place.

use anyhow::{Result, bail};
use banyan_extract::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the caller raises, from any thread or a signal handler, to end work early. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks to stop; whether it had been asked before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody asked to stop.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// # Errors
    /// When somebody asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_asked() {
            bail!("stopped on request; the store is unchanged, and vectors computed so far are kept for the next run")
        }
        Ok(())
    }
}

impl Watch for Stop {
    fn is_stopped(&self) -> bool {
        self.is_asked()
    }
}
