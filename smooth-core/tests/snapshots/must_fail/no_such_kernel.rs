//! REFUSED: there is no kernel `vector_sup`

//~ library: vector_sup
//~ loops(simplified): 1
