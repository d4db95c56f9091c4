//! REFUSED: nothing is claimed about `vector_add`

//~ library: vector_add
