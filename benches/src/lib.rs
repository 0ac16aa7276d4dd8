#![doc = include_str!("../README.md")]

pub mod facts;
pub mod npy;
pub mod planted;
pub mod python;
