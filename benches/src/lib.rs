#![doc = include_str!("../README.md")]

pub mod npy;
pub mod planted;
pub mod python;
