// covers: I18N-01
import { hintsOf } from './IcuHints';

test.each([
  ['Hello {name}', 'Bonjour {name}', []],
  ['Hello {name}', 'Bonjour', ['{name} of the English text is missing.']],
  ['Hello', 'Bonjour {nom}', ['{nom} is not in the English text.']],
  ['{n, number}', '{n, plural, other {#}}', ['{n} is a number in English, and a plural here.']],
  ['<b>Hello</b>', 'Bonjour', ['<b> of the English text is missing.']],
  ['Hello {name}', '', []],
  [undefined, 'Hello {name}', []],
  [undefined, 'Hello {{name}}', [expect.stringMatching(/^This is not a valid ICU message/)]],
  ['Hello {{name}}', 'Bonjour', []],
])('%s against %s', (english, text, hints) => {
  expect(hintsOf(english, text)).toEqual(hints);
});
