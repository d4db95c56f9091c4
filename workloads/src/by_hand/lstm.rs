//! The LSTM as plain loops.
