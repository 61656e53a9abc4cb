//! One line of a game as the parser walks along it.

/// Whether PuzzleScript takes a character for a space.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || c.is_whitespace() && c != '\u{85}'
}

/// Whether a character can stand in a name.
pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// A line with a place in it. All but titles is read in lower case.
#[derive(Debug)]
pub(crate) struct Stream {
    mixed: Vec<char>,
    lower: Vec<char>,
    at: usize,
}

impl Stream {
    pub(crate) fn new(line: &str) -> Self {
        let mixed: Vec<char> = line.chars().collect();
        let lower = mixed.iter().map(|&c| {
            let mut small = c.to_lowercase();
            match (small.next(), small.next()) {
                (Some(small), None) => small,
                _ => c,
            }
        });
        Self { lower: lower.collect(), mixed, at: 0 }
    }

    /// The column of the next character, from 1.
    pub(crate) fn column(&self) -> usize {
        self.at + 1
    }

    pub(crate) fn is_at_start(&self) -> bool {
        self.at == 0
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.lower.len()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.lower.get(self.at).copied()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    pub(crate) fn skip_to_end(&mut self) {
        self.at = self.lower.len();
    }

    /// What is left of the line.
    pub(crate) fn rest(&self) -> &[char] {
        &self.lower[self.at..]
    }

    /// What is left of the line as it was written.
    pub(crate) fn mixed_rest(&self) -> &[char] {
        &self.mixed[self.at..]
    }

    /// The whole line in lower case, and as it was written.
    pub(crate) fn whole(&self) -> (&[char], &[char]) {
        (&self.lower, &self.mixed)
    }

    /// Takes characters as long as they fit.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let taken: String = self.rest().iter().copied().take_while(|&c| fits(c)).collect();
        self.at += taken.chars().count();
        taken
    }

    pub(crate) fn skip_space(&mut self) {
        self.take_while(is_space);
    }

    /// A name of letters, digits and underscores, and the space after it.
    pub(crate) fn name(&mut self) -> Option<String> {
        self.taken(is_word)
    }

    /// Anything that is neither space nor parenthesis, and the space after it.
    pub(crate) fn chunk(&mut self) -> Option<String> {
        self.taken(|c| !is_space(c) && c != '(' && c != ')')
    }

    fn taken(&mut self, fits: impl Fn(char) -> bool) -> Option<String> {
        let taken = self.take_while(fits);
        if taken.is_empty() {
            return None;
        }
        self.skip_space();
        Some(taken)
    }

    /// Everything up to a comment; `None` where there is nothing.
    pub(crate) fn until_comment(&mut self) -> Option<String> {
        let taken = self.take_while(|c| c != '(');
        (!taken.is_empty()).then_some(taken)
    }

    /// One of some words that no further letter, digit or underscore follows, and the space after
    /// it.
    pub(crate) fn one_of(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let found = words.iter().find(|word| {
            let length = word.chars().count();
            self.rest().iter().copied().take(length).eq(word.chars())
                && self.rest().get(length).is_none_or(|&c| !is_word(c))
        })?;
        self.at += found.chars().count();
        self.skip_space();
        Some(found)
    }

    /// A text that may go on in any way.
    pub(crate) fn literal(&mut self, text: &str) -> bool {
        let length = text.chars().count();
        let found = self.rest().iter().copied().take(length).eq(text.chars());
        self.at += if found { length } else { 0 };
        found
    }
}
