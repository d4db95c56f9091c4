//! Grey images as PNG, uncompressed: a PNG may hold its bytes in stored blocks.

use std::path::Path;

/// Writes the rows of an image, one after the other.
pub fn write(file: &Path, grey: &[u8], [height, width]: [usize; 2]) {
    let size = |n: usize| u32::try_from(n).expect("a size of an image").to_be_bytes();
    // Eight bits a pixel, grey, the only compression, the only set of filters, rows in order.
    let header = [&size(width)[..], &size(height), &[8, 0, 0, 0, 0]].concat();
    // Each row begins with its filter: none.
    let rows: Vec<u8> = grey.chunks(width).flat_map(|row| std::iter::once(0).chain(row.iter().copied())).collect();
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", &header), (b"IDAT", &stored(&rows)), (b"IEND", &Vec::new())] {
        let named = [&name[..], data].concat();
        bytes.extend([&size(data.len())[..], &named, &crc(&named).to_be_bytes()].concat());
    }
    std::fs::write(file, bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    println!("wrote {}", file.display());
}

/// A zlib stream of stored blocks.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).expect("the size of a block");
        out.push(blocks.peek().is_none().into());
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    // Adler-32.
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    out.extend((b << 16 | a).to_be_bytes());
    out
}

/// The checksum of a chunk, CRC-32.
fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |c, _| if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 })
    })
}
