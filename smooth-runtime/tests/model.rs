//! Random sequences of operations on an arena and on a model of it.
use core::mem::MaybeUninit;
use smooth_runtime::{Arena, Scratch, ShapeError, private::ALIGN};

/// Random numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A number of bytes that a kernel may announce: 0, or a multiple of 64 plus 63.
    fn announced(&mut self, most: usize) -> usize {
        match self.below(most / ALIGN + 2) {
            0 => 0,
            n => (n - 1) * ALIGN + ALIGN - 1,
        }
    }
}

/// A model of an arena: its least capacity, whether it grows, and its high-water mark.
struct Model {
    capacity: usize,
    grows: bool,
    mark: usize,
}

impl Model {
    /// One frame, which is filled, so that an overlap with anything else is seen.
    fn frame(&mut self, arena: &mut Arena<'_>, bytes: usize) {
        let before = arena.capacity();
        match Scratch::frame(arena, "f", bytes) {
            Ok(frame) => {
                assert!(bytes == 0 || self.grows || bytes <= self.capacity);
                assert_eq!(frame.len(), bytes.saturating_sub(ALIGN - 1));
                assert!(bytes == 0 || frame.as_ptr().addr().is_multiple_of(ALIGN));
                frame.fill(MaybeUninit::new(0xa5));
                self.mark = self.mark.max(bytes);
            }
            Err(error) => {
                assert!(!self.grows && bytes > self.capacity, "{bytes}: {error}");
                assert_eq!(error, ShapeError::ScratchTooSmall { kernel: "f", needed: bytes, available: before });
            }
        }
        let now = arena.capacity();
        let doubled = bytes <= before || now >= bytes && now >= 2 * before;
        assert!(if self.grows && bytes > 0 { doubled } else { now == before }, "{before} {bytes} {now}");
        self.capacity = now;
    }

    fn step(&mut self, arena: &mut Arena<'_>, rng: &mut Rng) {
        match rng.below(10) {
            0 => {
                arena.reset();
                self.mark = 0;
            }
            1 => {
                arena.shrink();
                let now = arena.capacity();
                assert!(now <= self.capacity && (self.grows || now == self.capacity));
                assert!(!self.grows || now >= self.mark);
                self.capacity = now;
            }
            _ => self.frame(arena, rng.announced(2000)),
        }
        assert_eq!((arena.high_water(), arena.capacity()), (self.mark, self.capacity));
    }
}

#[test]
fn fixed_arenas_stay_within_their_buffers() {
    const GUARD: usize = 128;
    let mut rng = Rng(1);
    for _ in 0..300 {
        let (size, at) = (rng.below(1500), GUARD + rng.below(ALIGN));
        let mut buffer = vec![MaybeUninit::new(0x11_u8); at + size + GUARD];
        let mut arena = Arena::on(&mut buffer[at..at + size]);
        let mut model = Model { capacity: size, grows: false, mark: 0 };
        for _ in 0..40 {
            model.step(&mut arena, &mut rng);
        }
        let guards = buffer[..at].iter().chain(&buffer[at + size..]);
        // SAFETY: F2, all bytes of the buffer were written when it was made.
        assert!(guards.into_iter().all(|byte| unsafe { byte.assume_init() } == 0x11));
    }
}

/// Every size around the one that is needed, at every address.
#[test]
fn one_byte_decides() {
    let needed = 3 * ALIGN + ALIGN - 1;
    for at in 0..ALIGN {
        for size in 0..=needed + 1 {
            let mut buffer = [MaybeUninit::uninit(); 5 * ALIGN + 1 + ALIGN];
            let mut arena = Arena::on(&mut buffer[at..at + size]);
            assert_eq!(arena.frame("f", needed).is_ok(), size >= needed, "{size} bytes at {at}");
        }
    }
}

#[cfg(feature = "alloc")]
#[test]
fn growing_arenas() {
    let mut rng = Rng(2);
    for _ in 0..300 {
        let mut arena = if rng.below(2) == 0 { Arena::new() } else { Arena::with_capacity(rng.below(3000)) };
        let mut model = Model { capacity: arena.capacity(), grows: true, mark: 0 };
        for _ in 0..60 {
            model.step(&mut arena, &mut rng);
        }
    }
}

/// A `Bump` with frames and the user's own allocations between them.
#[cfg(feature = "alloc")]
#[test]
fn bumps_shared_with_the_user() {
    let (mut rng, mut bump) = (Rng(3), smooth_runtime::Bump::new());
    for _ in 0..3000 {
        match rng.below(8) {
            0 => bump.reset(),
            1 => _ = bump.alloc_slice_fill_copy(rng.below(300), 7_u8),
            _ => {
                let bytes = rng.announced(2000);
                let (free, held) = (bump.chunk_capacity(), bump.allocated_bytes());
                let mut frame = Scratch::frame(&mut bump, "f", bytes).unwrap();
                assert_eq!(frame.len(), bytes.saturating_sub(ALIGN - 1));
                frame.fill(MaybeUninit::new(0xa5));
                drop(frame);
                assert!(bytes > free || (bump.chunk_capacity(), bump.allocated_bytes()) == (free, held));
            }
        }
    }
}
