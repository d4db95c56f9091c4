//! Elementary functions without branches, so that loops that call them become vector code. `L` is the level of `clones`.

/// `a * b + c`, in one instruction where the CPU has one.
#[inline(always)]
pub fn fma<const L: usize>(a: f64, b: f64, c: f64) -> f64 {
    if L > 0 { a.mul_add(b, c) } else { a * b + c }
}

/// Added to a number below 2^51, it leaves the nearest integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// A polynomial, its last coefficient first.
#[inline(always)]
fn horner<const L: usize, const N: usize>(c: [f64; N], x: f64) -> f64 {
    let mut y = c[0];
    for k in 1..N {
        y = fma::<L>(y, x, c[k]);
    }
    y
}

/// `e^x` for `x` up to 709, within some units in the last place; below -708 it is `e^-708`.
#[inline(always)]
pub fn exp<const L: usize>(x: f64) -> f64 {
    const LN2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    let x = if x < -708.0 { -708.0 } else { x };
    let shifted = fma::<L>(x, std::f64::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<L>(k, -LN2[1], fma::<L>(k, -LN2[0], x));
    let inverse_factorials = [
        2.087_675_698_786_81e-9,
        2.505_210_838_544_172e-8,
        2.755_731_922_398_589e-7,
        2.755_731_922_398_589_3e-6,
        2.480_158_730_158_73e-5,
        1.984_126_984_126_984e-4,
        1.388_888_888_888_889e-3,
        8.333_333_333_333_333e-3,
        4.166_666_666_666_666_4e-2,
        1.666_666_666_666_666_6e-1,
        0.5,
        1.0,
        1.0,
    ];
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
    horner::<L, 13>(inverse_factorials, r) * scale
}

/// Sine and cosine for `|x|` up to some 100 000.
#[inline(always)]
pub fn sin_cos<const L: usize>(x: f64) -> (f64, f64) {
    const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
    let shifted = fma::<L>(x, std::f64::consts::FRAC_2_PI, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<L>(k, -HALF_PI[2], fma::<L>(k, -HALF_PI[1], fma::<L>(k, -HALF_PI[0], x)));
    let z = r * r;
    let sine = [
        1.589_690_995_211_55e-10,
        -2.505_076_025_340_686_3e-8,
        2.755_731_370_707_006_8e-6,
        -1.984_126_982_985_795e-4,
        8.333_333_333_322_49e-3,
        -1.666_666_666_666_663_2e-1,
    ];
    let cosine = [
        -1.135_964_755_778_819_5e-11,
        2.087_572_321_298_175e-9,
        -2.755_731_435_139_066_3e-7,
        2.480_158_728_947_673e-5,
        -1.388_888_888_887_411e-3,
        4.166_666_666_666_66e-2,
        -0.5,
        1.0,
    ];
    let s = fma::<L>(r * z, horner::<L, 6>(sine, z), r);
    let c = horner::<L, 8>(cosine, z);
    // The quadrant: odd ones swap the two, the second half changes the sign.
    let quadrant = shifted.to_bits();
    let odd = quadrant & 1 != 0;
    let (a, b) = if odd { (c, s) } else { (s, c) };
    let sign_of_sine = (quadrant & 2) << 62;
    let sign_of_cosine = (quadrant.wrapping_add(1) & 2) << 62;
    (f64::from_bits(a.to_bits() ^ sign_of_sine), f64::from_bits(b.to_bits() ^ sign_of_cosine))
}
