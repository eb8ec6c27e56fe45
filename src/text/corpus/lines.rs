//! Lines of text out of bytes of unknown encoding, in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};

/// No line of a corpus is longer than this; a longer one is passed over and counted.
pub(super) const MAX_LINE: usize = 16 << 20;

/// How much of a file is looked at to tell its encoding and its format.
pub(super) const HEAD: usize = 64 << 10;

/// One line, without its end.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// 1-based.
    pub(super) number: u64,
    pub(super) text: String,
    /// Bytes that were not text: how many stretches of them were replaced by U+FFFD.
    pub(super) damaged: usize,
    /// Longer than [`MAX_LINE`]: `text` is empty.
    pub(super) too_long: bool,
}

/// A stream of lines.
pub(super) struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    encoding: &'static Encoding,
    number: u64,
    bytes: Vec<u8>,
}

impl Lines {
    /// Looks at the beginning of the bytes to tell their encoding: a byte order mark, else UTF-8
    /// if it is, else GB18030 (which contains GBK and GB2312).
    pub(super) fn new(input: Box<dyn Read + Send>) -> io::Result<Lines> {
        let mut reader = BufReader::with_capacity(HEAD, input);
        let head = fill(&mut reader)?;
        let (encoding, mark) = match Encoding::for_bom(head) {
            Some((encoding, length)) => (encoding, length),
            None if is_utf8_so_far(head) => (UTF_8, 0),
            None => (GB18030, 0),
        };
        reader.consume(mark);
        if encoding == UTF_16LE || encoding == UTF_16BE {
            let transcoded: Box<dyn Read + Send> = Box::new(Transcoder::new(reader, encoding));
            reader = BufReader::with_capacity(HEAD, transcoded);
            return Ok(Lines::of(reader, UTF_8));
        }
        Ok(Lines::of(reader, encoding))
    }

    fn of(reader: BufReader<Box<dyn Read + Send>>, encoding: &'static Encoding) -> Lines {
        Lines {
            reader,
            encoding,
            number: 0,
            bytes: Vec::new(),
        }
    }

    /// The beginning of what is still to be read, decoded.
    pub(super) fn peek(&mut self) -> io::Result<String> {
        let head = fill(&mut self.reader)?;
        Ok(self
            .encoding
            .decode_without_bom_handling(head)
            .0
            .into_owned())
    }

    /// Reads the next line into `line`; false at the end.
    pub(super) fn read_next(&mut self, line: &mut Line) -> io::Result<bool> {
        line.text.clear();
        line.damaged = 0;
        line.too_long = false;
        self.bytes.clear();
        let mut any = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                break;
            }
            any = true;
            // No trail byte of GB18030 is a line feed, so lines can be cut before decoding.
            let end = memchr::memchr(b'\n', available);
            let piece = &available[..end.unwrap_or(available.len())];
            if self.bytes.len() + piece.len() > MAX_LINE {
                line.too_long = true;
                self.bytes.clear();
            } else if !line.too_long {
                self.bytes.extend_from_slice(piece);
            }
            let used = piece.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if any {
            self.number += 1;
            line.number = self.number;
            self.decode(line);
        }
        Ok(any)
    }

    fn decode(&mut self, line: &mut Line) {
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        if self.encoding == UTF_8
            && let Ok(text) = simdutf8::basic::from_utf8(&self.bytes)
        {
            line.text.push_str(text);
            return;
        }
        let (text, had_errors) = self.encoding.decode_without_bom_handling(&self.bytes);
        if had_errors {
            line.damaged = text.matches('\u{fffd}').count();
        }
        line.text.push_str(&text);
    }
}

/// Fills the reader's buffer as far as the input allows and shows it.
fn fill(reader: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(reader.buffer())
}

/// True when the bytes are UTF-8, but for a character cut off at their end.
fn is_utf8_so_far(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() || mostly_utf8(bytes),
    }
}

/// Damaged UTF-8 is still UTF-8: most of what is not ASCII decodes, which GB18030 never does.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (text, _) = UTF_8.decode_without_bom_handling(bytes);
    let broken = text.matches('\u{fffd}').count();
    let sound = text.chars().filter(|c| !c.is_ascii()).count() - broken;
    broken * 10 < sound
}

/// UTF-16 to UTF-8, as a reader.
struct Transcoder {
    input: BufReader<Box<dyn Read + Send>>,
    decoder: encoding_rs::Decoder,
    output: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl Transcoder {
    fn new(input: BufReader<Box<dyn Read + Send>>, encoding: &'static Encoding) -> Transcoder {
        Transcoder {
            input,
            decoder: encoding.new_decoder_without_bom_handling(),
            output: Vec::new(),
            taken: 0,
            ended: false,
        }
    }
}

impl Read for Transcoder {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.output.len() && !self.ended {
            let available = self.input.fill_buf()?;
            self.ended = available.is_empty();
            let room = self.decoder.max_utf8_buffer_length(available.len());
            self.output.resize(room.unwrap_or(HEAD), 0);
            let (_, read, written, _) =
                self.decoder
                    .decode_to_utf8(available, &mut self.output, self.ended);
            self.output.truncate(written);
            self.taken = 0;
            self.input.consume(read);
        }
        let rest = &self.output[self.taken..];
        let count = rest.len().min(target.len());
        target[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(Box::new(io::Cursor::new(bytes.to_vec()))).unwrap();
        let mut line = Line::default();
        let mut all = Vec::new();
        while lines.read_next(&mut line).unwrap() {
            all.push(line.text.clone());
        }
        all
    }

    #[test]
    fn the_encoding_is_told_from_the_bytes() {
        let text = "沪指收跌\r\n深成指收涨";
        let expected = ["沪指收跌", "深成指收涨"];
        assert_eq!(lines_of(text.as_bytes()), expected);
        assert_eq!(lines_of(&GB18030.encode(text).0), expected);
        let marked: Vec<u8> = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_eq!(lines_of(&marked), expected);
        let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(wide).collect();
        assert_eq!(lines_of(&wide), expected);
    }

    #[test]
    fn a_bad_byte_does_not_turn_utf8_into_gb18030() {
        let mut bytes = "沪指今日收跌，深成指收涨。".repeat(3).into_bytes();
        bytes[4] = 0xff;
        let text = lines_of(&bytes).concat();
        assert!(text.contains("深成指收涨"), "{text}");
    }

    #[test]
    fn an_endless_line_is_passed_over_in_bounded_memory() {
        let long = io::Read::take(io::repeat(b'x'), 3 * MAX_LINE as u64);
        let input = long.chain(&b"\nnext\n"[..]);
        let mut lines = Lines::new(Box::new(input)).unwrap();
        let mut line = Line::default();
        assert!(lines.read_next(&mut line).unwrap());
        assert!(line.too_long && line.text.is_empty());
        assert!(lines.read_next(&mut line).unwrap());
        assert_eq!((line.text.as_str(), line.number), ("next", 2));
        assert!(!lines.read_next(&mut line).unwrap());
        assert!(lines.bytes.capacity() <= 2 * MAX_LINE);
    }
}
