/** covers: I18N-01 */
import { compareTexts } from './comparison';
import type { FoundText, TextEntry } from './file';

const entries: TextEntry[] = [
  { key: 'save', texts: { en: 'Save', fr: 'Enregistrer' } },
  { key: 'bye', texts: { en: 'Bye', fr: 'Salut' } },
];
const found = (key: string, text: string, more: Partial<FoundText> = {}): FoundText => ({
  key,
  language: 'fr',
  text,
  line: 1,
  ...more,
});
const compare = (...texts: FoundText[]) => compareTexts(entries, { texts, leftOut: [] });

it('tells new keys, added, changed, removed and unchanged texts apart', () => {
  expect(
    compare(found('save', 'Sauver'), found('open', 'Ouvrir'), found('save', 'Sichern', { language: 'de' })),
  ).toEqual({
    newKeys: ['open'],
    added: [
      { key: 'open', language: 'fr', to: 'Ouvrir' },
      { key: 'save', language: 'de', to: 'Sichern' },
    ],
    changed: [{ key: 'save', language: 'fr', from: 'Enregistrer', to: 'Sauver' }],
    removed: [{ key: 'bye', language: 'fr', from: 'Salut' }],
    conflicts: [],
    unchanged: 0,
    leftOut: [],
  });
});

it('finds a conflict where the English text is another one by now', () => {
  expect(compare(found('save', 'Sauver', { source: 'Store' })).conflicts).toEqual([
    {
      key: 'save',
      language: 'fr',
      from: 'Enregistrer',
      to: 'Sauver',
      line: 1,
      why: 'The English text has changed since this file was made.',
    },
  ]);
  expect(compare(found('save', 'Enregistrer', { source: 'Store' }))).toMatchObject({
    conflicts: [],
    unchanged: 1,
  });
});

it('finds a conflict within the file', () => {
  const { changed, conflicts } = compare(
    found('save', 'A'),
    found('save', 'B', { line: 2 }),
    found('save', 'A', { line: 3 }),
  );
  expect(changed).toHaveLength(1);
  expect(conflicts).toMatchObject([
    { key: 'save', to: 'B', line: 2, why: 'Line 1 has another text for it.' },
  ]);
});

it('finds the key of a file without keys by its English text', () => {
  const byText = (source: string) => compare(found(source, 'X', { source, isKeySource: true }));
  expect(byText('Save').changed).toMatchObject([{ key: 'save' }]);
  expect(byText('Quit').newKeys).toEqual(['Quit']);
});

it('leaves out what cannot be a key or a text', () => {
  const { leftOut } = compare(
    found('k'.repeat(201), 'x'),
    found(' a', 'x'),
    found('b', 'x'.repeat(50_001)),
    found('c', 'a\u0001'),
    found('d', '\ud83d'),
  );
  expect(leftOut.map(({ why }) => why)).toEqual([
    'The key has 201 characters, at most 200 are possible.',
    'The key begins or ends with a space.',
    'The text has 50001 characters, at most 50000 are possible.',
    'It contains the control character U+0001.',
    'It contains half of a character (a lone surrogate).',
  ]);
});
