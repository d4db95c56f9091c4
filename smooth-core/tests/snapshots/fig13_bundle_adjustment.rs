//! Fig. 13: bundle adjustment. All sizes are static, so that slices, vectors and loops become scalar code: no array,
//! no loop, no check (the figure prints `vectorNorm` for the squared norm).

//~ loops(simplified): 0
//~ arrays(simplified): 0
//~ allocs(stored): 0
//~ checked(stored): 0
//~ shape: λ radical: (2, ∘), proj: (2, ∘). (2, ∘)
//~ run: radial_distort([1, 0.5], [1, 1]) == [5, 5]
#[smooth]
fn radial_distort(radical: &[f64; 2], proj: &[f64; 2]) -> [f64; 2] {
    let rsq = vector_sq_norm(proj);
    let l = 1.0 + radical[0] * rsq + radical[1] * rsq * rsq;
    vector_s_mul(proj, l)
}

//~ loops(simplified): 0
//~ arrays(simplified): 0
//~ allocs(stored): 0
//~ copies(stored): 0                            both branches write directly to the destination
//~ shape: λ rotation: (3, ∘), x: (3, ∘). (3, ∘)
//~ run: rodrigues_rotate([0, 0, 0], [1, 2, 3]) == [1, 2, 3]
//~ run: rodrigues_rotate([0, 0, 4], [0, 0, 2]) == [0, 0, 1.9999999999999998]
#[smooth]
fn rodrigues_rotate(rotation: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let sqtheta = vector_sq_norm(rotation);
    if sqtheta != 0.0 {
        let theta = sqtheta.sqrt();
        let theta_inv = 1.0 / theta;
        let w = vector_s_mul(rotation, theta_inv);
        let w_cross_x = vector_cross(&w, x);
        let tmp = vector_dot(&w, x) * (1.0 - theta.cos());
        let v1 = vector_s_mul(x, theta.cos());
        let v2 = vector_s_mul(&w_cross_x, theta.sin());
        vector_add(&vector_add(&v1, &v2), &vector_s_mul(&w, tmp))
    } else {
        vector_add(x, &vector_cross(rotation, x))
    }
}

//~ loops(simplified): 0
//~ arrays(simplified): 0
//~ allocs(stored): 0
//~ peak: 0
//~ checks: 0
//~ checked(stored): 0
//~ shape: λ cam: (11, ∘), x: (3, ∘). (2, ∘)
//~ run: project([0, 0, 0, 0, 0, 0, 2, 10, 20, 0, 0], [1, 2, 4]) == [10.5, 21]
#[smooth]
fn project(cam: &[f64; 11], x: &[f64; 3]) -> [f64; 2] {
    let xcam = rodrigues_rotate(&vector_slice(cam, 0, 2), &vector_sub(x, &vector_slice(cam, 3, 5)));
    let distorted = radial_distort(&vector_slice(cam, 9, 10), &vector_s_mul(&vector_slice(&xcam, 0, 1), 1.0 / xcam[2]));
    vector_add(&vector_slice(cam, 7, 8), &vector_s_mul(&distorted, cam[6]))
}
