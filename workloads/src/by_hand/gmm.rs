//! Gaussian mixture models as plain loops.
