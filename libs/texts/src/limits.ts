/** What keys and texts may be. Apart from the file formats, so that forms need not load those. */
export const MAX_KEY_LENGTH = 200;
export const MAX_TEXT_LENGTH = 50_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** What a text must not contain, because no file format can carry it; undefined if all is well. */
export const problemOfText = (text: string): string | undefined => {
  if (LONE_SURROGATE.test(text)) return 'It contains half of a character (a lone surrogate).';
  // XML cannot contain these, not even as a reference.
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.exec(text); // eslint-disable-line no-control-regex
  if (!control) return undefined;
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `It contains the control character U+${code}.`;
};

/** Why it cannot be a key; undefined if it can. */
export const problemOfKey = (key: string): string | undefined => {
  if (key === '') return 'The key is empty.';
  if (key.length > MAX_KEY_LENGTH)
    return `The key has ${key.length} characters, at most ${MAX_KEY_LENGTH} are possible.`;
  return key.trim() === key ? problemOfText(key) : 'The key begins or ends with a space.';
};

/** Why it cannot be a text; undefined if it can. */
export const problemOf = (text: string): string | undefined =>
  text.length > MAX_TEXT_LENGTH
    ? `The text has ${text.length} characters, at most ${MAX_TEXT_LENGTH} are possible.`
    : problemOfText(text);
