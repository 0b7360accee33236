/** covers: VAL-02 */
import { array, integer, numericId, object } from '@quarterdeck/events/inputs';
import type { Field, InputField } from './fields';
import { differences, draftOf, unreadable, parseDraft, parseInput, type Draft } from './values';

const field = (type: InputField['type'], name = 'f'): InputField => ({ name, label: name, type });

describe('typed input', () => {
  test('becomes undefined when it is empty', () => {
    expect(
      ['text', 'number', 'textarea', 'secret', 'select'].map((type) =>
        parseInput(field(type as InputField['type']), ''),
      ),
    ).toEqual(Array(5).fill(undefined));
    expect(parseDraft([field('text')], { f: '' })).toEqual({});
  });

  test('becomes a number in a number field, or undefined when it is not a number', () => {
    expect(
      ['22', ' 22 ', '-3', '2.5', 'abc', '1e3', '0x10'].map((typed) => parseInput(field('number'), typed)),
    ).toEqual([22, 22, -3, 2.5, undefined, undefined, undefined]);
    expect(unreadable([field('number')], { f: 'abc' })).toEqual({ f: 'a number is expected' });
    const schema = object({
      f: numericId(65535).optional(),
      g: object({ f: array(object({ f: integer() }), 3) }).optional(),
    });
    expect(unreadable([field('number')], { f: 'abc' }, schema)).toEqual({
      f: 'a whole number from 1 to 65535 is expected',
    });
    const rows: Field = { name: 'f', label: 'F', type: 'list', row: 'Row', fields: [field('number')] };
    const nested: Field = { name: 'g', label: 'G', type: 'group', fields: [rows] };
    expect(unreadable([nested], { g: { f: [{ f: '1' }, { f: 'abc' }] } }, schema)).toEqual({
      'g.f.1.f': 'a whole number from 0 is expected',
    });
    expect(unreadable([{ ...field('number'), expected: 'a port' }], { f: 'abc' })).toEqual({ f: 'a port' });
    expect(unreadable([field('number')], { f: '' })).toEqual({});
  });

  test('in a select becomes a number when it is one, unless the field is not numeric', () => {
    expect(['2', '0', '02', 'dev'].map((typed) => parseInput(field('select'), typed))).toEqual([
      2,
      0,
      '02',
      'dev',
    ]);
    expect(parseInput({ ...field('select'), numeric: false }, '2')).toBe('2');
  });

  test('in a checkbox becomes false when it is not a boolean', () => {
    expect([true, false, undefined, 'yes'].map((typed) => parseInput(field('checkbox'), typed))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('keeps the spaces around text, which the schema handles', () => {
    expect(parseInput(field('text'), ' a ')).toBe(' a ');
  });
});

test('a secret is never put into the form', () => {
  expect(draftOf([field('secret', 'key'), field('text', 'alias')], { key: 'hush', alias: 'web' })).toEqual({
    key: '',
    alias: 'web',
  });
});

test('two versions differ only in fields that read differently', () => {
  const fields = [field('text', 'alias'), field('number', 'port'), field('secret', 'key')];
  const found = differences(
    fields,
    { alias: 'mine', port: '22', key: 'x' },
    { alias: 'theirs', port: 22, key: 'y' },
  );
  expect(found.map(({ field: { name }, mine, theirs }) => [name, mine, theirs])).toEqual([
    ['alias', 'mine', 'theirs'],
  ]);
});

test('removed values differ, and so do fields that only one of the two versions has', () => {
  const when = ({ deed }: Draft): boolean => deed === 'redirect';
  const fields: Field[] = [
    field('select', 'deed'),
    { ...field('text', 'url'), label: 'Upstream', when: (draft) => !when(draft) },
    { ...field('text', 'url'), label: 'Redirect to', when },
    { ...field('select', 'code'), when },
    field('number', 'timeout'),
  ];
  const mine = draftOf(fields, { deed: 'proxy', url: 'http://app', timeout: 30 });
  const found = differences(fields, mine, { deed: 'redirect', url: '/new', code: 302, revision: 7 });
  expect(found.map((one) => [one.field.label, one.mine, one.theirs])).toEqual([
    ['deed', 'proxy', 'redirect'],
    ['Upstream', 'http://app', '/new'],
    ['code', '', '302'],
    ['timeout', '30', ''],
  ]);
});

describe('JSON', () => {
  const graph = field('json', 'graph');

  test('is edited as indented text, and sent as its value', () => {
    const draft = draftOf([graph], { graph: { nodes: [1] } });
    expect(draft).toEqual({ graph: '{\n  "nodes": [\n    1\n  ]\n}' });
    expect(parseDraft([graph], draft)).toEqual({ graph: { nodes: [1] } });
    expect(parseDraft([graph], { graph: 'null' })).toEqual({ graph: null });
    expect([draftOf([graph], { graph: null }), draftOf([graph], {})]).toEqual([{ graph: '' }, { graph: '' }]);
    expect(parseDraft([graph], { graph: '' })).toEqual({});
  });

  test('has a message of its own where it is none', () => {
    // Where it is wrong follows, if the browser says so.
    const message = expect.stringMatching(/^JSON is expected, such as {"name": "value"}/);
    expect(unreadable([graph], { graph: '{nodes' })).toEqual({ graph: message });
    expect(unreadable([graph], { graph: '' })).toEqual({});
    expect(unreadable([graph], { graph: 'null' })).toEqual({});
  });
});

test('an optional group without input is none, and another one is its empty fields', () => {
  const fields = [field('text', 'name'), field('checkbox', 'needed')];
  const group = (optional: boolean): Field => ({
    type: 'group',
    name: 'input',
    label: 'Input',
    fields,
    optional,
  });
  const empty = draftOf([group(true)], { input: null });
  expect(empty).toEqual({ input: { name: '', needed: false } });
  expect(parseDraft([group(true)], empty)).toEqual({ input: null });
  expect(parseDraft([group(false)], empty)).toEqual({ input: { needed: false } });
  expect(parseDraft([group(true)], { input: { name: 'a', needed: false } })).toEqual({
    input: { name: 'a', needed: false },
  });
});
