// covers: DM-02, OPT-01
import type { InputField } from '../../../ui/form/fields';
import { draftOf } from '../../../ui/form/values';
import type { View } from '../record-fields';
import { cellsOf, changeOf, namesIn, placed } from './pasted';
import { emptySheet, isChanged, shownRows, withoutRow, withRow, withTyped } from './rows';

const cells: InputField[] = [
  { name: 'name', label: 'Name', type: 'text' },
  {
    name: 'type',
    label: 'Type',
    type: 'select',
    options: ['String', 'Int'].map((label, at) => ({ value: at + 1, label })),
  },
  { name: 'to.id', label: 'Foreign entity', type: 'reference' },
  { name: 'optional', label: 'Optional', type: 'checkbox' },
];
const blank = draftOf(cells, { type: 1 });
const view = { id: 'a', revision: 4, name: 'Mail', type: 2, to: null, optional: true } as unknown as View;
const listed = { views: [view], readAt: 10 };
const shown = (sheet = emptySheet, now = listed) => shownRows(sheet, now, cells, blank);

test('shows the records and a blank row, and begins another one as soon as that is typed', () => {
  expect(shown().map(({ key, draft }) => [key, draft.name])).toEqual([
    ['a', 'Mail'],
    ['new-0', ''],
  ]);
  const sheet = withTyped(emptySheet, shown()[1]!, { values: { name: 'Note' } });
  expect(shown(sheet).map(({ key, draft }) => [key, draft.name])).toEqual([
    ['a', 'Mail'],
    ['new-0', 'Note'],
    ['new-1', ''],
  ]);
  expect(shown(sheet).map(isChanged)).toEqual([false, true, false]);
});

test('a value that is typed back is no change, and a discarded row is as it was', () => {
  const once = withTyped(emptySheet, shown()[0]!, { values: { 'to.id': 'b' } });
  expect(shown(once)[0]).toMatchObject({ draft: { to: { id: 'b' } }, typed: { of: 'a', revision: 4 } });
  expect(isChanged(shown(withTyped(once, shown(once)[0]!, { values: { 'to.id': '' } }))[0]!)).toBe(false);
  expect(shown(withoutRow(once, 'a'))[0]).toEqual(shown()[0]);
});

test('a saved row stays until the list is read again, and can then be typed anew', () => {
  const typed = withTyped(emptySheet, shown()[0]!, { values: { name: 'Post' } });
  const saved = withRow(typed, 'a', { is: 'saved', savedAt: 20 });
  expect(shown(saved)[0]?.draft.name).toBe('Post');
  expect(withTyped(saved, shown(saved)[0]!, { values: { name: 'Late' } })).toBe(saved);
  const after = { views: [{ ...view, revision: 5, name: 'Post' } as View], readAt: 30 };
  expect(shown(saved, after)[0]?.typed).toBeUndefined();
  const anew = withTyped(saved, shown(saved, after)[0]!, { values: { name: 'Letter' } });
  expect(anew.typed.map(({ draft, revision }) => [draft.name, revision])).toEqual([['Letter', 5]]);
});

test('reads the cells of a spreadsheet, from any column or by their names', () => {
  expect(cellsOf('one cell')).toBeUndefined();
  const lines = cellsOf('Note\tint\t"a ""b"""\r\nMail\tString\t\r\n')!;
  expect(lines).toEqual([
    ['Note', 'int', 'a "b"'],
    ['Mail', 'String', ''],
  ]);
  expect(placed(lines, cells, 1).fields.map((field) => field?.name)).toEqual(['type', 'to.id', 'optional']);
  expect(placed(lines, cells, 2).fields).toEqual([cells[2], cells[3], undefined]);
  const named = placed([['optional', 'NAME'], ...lines], cells, 0);
  expect(named.fields.map((field) => field?.name)).toEqual(['optional', 'name']);
  expect(named.lines).toEqual(lines);
});

test('a field that may be left out is, where its column has the words of the choice after it', () => {
  const all: InputField[] = [
    cells[0]!,
    { name: 'column', label: 'Column', type: 'text', optional: true },
    ...cells.slice(1),
  ];
  const namesOf = (lines: string[][]) => placed(lines, all, 0).fields.map((field) => field?.name);
  const short = [
    ['Note', 'int', 'Shop'],
    ['Mail', '', ''],
  ];
  expect(namesOf(short)).toEqual(['name', 'type', 'to.id']);
  // A column may be called like a type, or not be given.
  expect(namesOf([['Note', 'string', 'Int']])).toEqual(['name', 'column', 'type']);
  expect(namesOf([['Note', 'note', 'Int']])).toEqual(['name', 'column', 'type']);
  expect(namesOf([['Note', '', 'Int']])).toEqual(['name', 'column', 'type']);
  expect(namesOf([['Note', 'note']])).toEqual(['name', 'column']);
});

test('what cannot be read stays empty and says what is expected', () => {
  const pasted = placed([['Note', 'Text', 'Shop', 'perhaps', 'beyond']], cells, 0);
  expect(namesIn(pasted)).toEqual([[cells[2], ['Shop']]]);
  expect(changeOf(pasted, pasted.lines[0]!, {})).toEqual({
    values: { name: 'Note', type: '', 'to.id': '', optional: false },
    unread: {
      type: '"Text" is none of: String, Int',
      'to.id': 'no record is called "Shop"',
      optional: '"perhaps" is neither yes nor no',
    },
  });
  const ids = { 'to.id': new Map([['shop', 'b']]) };
  const good = placed([['Note', '2', ' SHOP ', 'x']], cells, 0);
  expect(changeOf(good, good.lines[0]!, ids)).toEqual({
    values: { name: 'Note', type: '2', 'to.id': 'b', optional: true },
    unread: {},
  });
});
