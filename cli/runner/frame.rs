//! What goes between a farm and its workers: a text, and bytes beside it.

use std::io::{self, BufRead, Read, Write};

/// How the head of a frame begins.
const MARK: &str = "unstuck";

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The text.
    pub text: String,
    /// What is no text: a packed certificate.
    pub bytes: Vec<u8>,
    /// Whether the sender ends after it, on its own account.
    pub last: bool,
}

impl Frame {
    /// A text alone.
    pub(crate) fn of(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Sends it.
    ///
    /// # Errors
    /// When the other end is gone.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (text, bytes, last) = (self.text.len(), self.bytes.len(), u8::from(self.last));
        // One write for what is small: the reader need not wake twice.
        let mut whole = format!("{MARK} {text} {bytes} {last}\n").into_bytes();
        whole.extend_from_slice(self.text.as_bytes());
        whole.extend_from_slice(&self.bytes);
        out.write_all(&whole)?;
        out.flush()
    }

    /// Takes the next one; `None` when the sender has ended in good order.
    ///
    /// # Errors
    /// When it ended in the middle of a frame, or sent something else.
    pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut head = String::new();
        if input.by_ref().take(100).read_line(&mut head)? == 0 {
            return Ok(None);
        }
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a frame");
        let words: Vec<&str> = head.split_whitespace().collect();
        let [MARK, text, bytes, last] = words[..] else { return Err(wrong()) };
        let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
        let text = part(input, number(text)?)?;
        Ok(Some(Self {
            text: String::from_utf8(text).map_err(|_| wrong())?,
            bytes: part(input, number(bytes)?)?,
            last: last == "1",
        }))
    }
}

/// So many bytes; room is made for those that are there only.
fn part(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut part = Vec::new();
    input.by_ref().take(length).read_to_end(&mut part)?;
    if (part.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_arrive_as_they_were_sent_or_not_at_all() {
        let sent = Frame { text: "a\nb".to_owned(), bytes: vec![0, 10, 255], last: true };
        let mut wire = Vec::new();
        sent.write(&mut wire).unwrap();
        Frame::of(String::new()).write(&mut wire).unwrap();
        let mut input = wire.as_slice();
        assert_eq!(Frame::read(&mut input).unwrap(), Some(sent));
        assert_eq!(Frame::read(&mut input).unwrap(), Some(Frame::default()));
        assert_eq!(Frame::read(&mut input).unwrap(), None);
        let first = wire.len() - Frame::default().head_length();
        for end in 1..first {
            assert!(Frame::read(&mut &wire[..end]).is_err(), "{end}");
        }
        for nonsense in ["\n", "hello\n", "unstuck 99999999999999 0 0\nx", "unstuck -1 0 0\n"] {
            assert!(Frame::read(&mut nonsense.as_bytes()).is_err(), "{nonsense:?}");
        }
    }

    impl Frame {
        fn head_length(&self) -> usize {
            let mut wire = Vec::new();
            self.write(&mut wire).unwrap();
            wire.len()
        }
    }
}
