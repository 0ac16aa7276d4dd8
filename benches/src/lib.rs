#![doc = include_str!("../README.md")]

pub mod draw;
pub mod facts;
pub mod hotels;
pub mod museums;
pub mod npy;
pub mod planted;
pub mod python;
