//! Hand tracking as plain loops.
