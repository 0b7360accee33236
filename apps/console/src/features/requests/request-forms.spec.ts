/** What pages make of answers and requests, without a page. covers: REQ-01, REQ-02 */
import { formsOf, hexOf } from './body-forms';
import { asCurl, asFetch, asHttpie } from './code-forms';
import { comparedBodies } from './json-fields';
import { JsonReader, rowsOf } from './json-rows';

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

describe('JSON as rows', () => {
  it('tells apart values whose keys have dots or brackets, or are empty', () => {
    const json = { 'a.b': { c: 1 }, a: { b: { c: 2 } }, '': { d: 3 }, 'x[0]': 4 };
    const paths = rowsOf(json, new Set()).map(({ path }) => path);
    expect(paths).toEqual(['', '["a.b"]', '["a.b"].c', 'a', 'a.b', '[""]', '[""].d', '["x[0]"]']);
  });

  it('shows the entries of a long list or object in groups, so that few rows are open', () => {
    const length = 2_000_001;
    const list = Array.from({ length }, () => 1);
    const rows = rowsOf(list, new Set());
    // The whole, 2,001 groups, and the entries of the first one.
    expect(rows).toHaveLength(1 + 2001 + 1000);
    expect(rows.at(-1)).toMatchObject({
      key: '2000000 to 2000000',
      text: '[1 element]',
      open: false,
      parent: 0,
    });
    const last = rowsOf(list, new Set([rows.at(-1)?.path ?? ''])).at(-1);
    expect(last).toMatchObject({
      path: '[2000000]',
      key: '2000000',
      depth: 2,
      place: 1,
      of: 1,
      parent: 3001,
    });
    const keys = rowsOf(Object.fromEntries(list.slice(0, 1500).map((one, at) => [`k${at}`, one])), new Set());
    expect(keys.at(-1)).toMatchObject({ key: 'keys 1001 to 1500', text: '{500 keys}' });
  });

  it('is open to the second level, and each value can be opened and closed', () => {
    const json = { a: [{ b: 1 }], c: 'x' };
    const shown = (changed: string[]) =>
      rowsOf(json, new Set(changed)).map(({ path, text }) => `${path} ${text}`);
    expect(shown([])).toEqual([' {2 keys}', 'a [1 element]', 'a[0] {1 key}', 'c "x"']);
    expect(shown(['a[0]'])).toContain('a[0].b 1');
    expect(shown([''])).toEqual([' {2 keys}']);
  });

  it('is read once, and asked for in pages', () => {
    const reader = new JsonReader();
    const list = bytes(JSON.stringify(Array.from({ length: 1000 }, (_, at) => at))).buffer;
    const first = reader.answer({ bytes: list, changed: [], from: 0, to: 2 });
    expect(first).toMatchObject({
      is: 'rows',
      count: 1001,
      rows: [{ text: '[1000 elements]' }, { text: '0' }],
    });
    expect(reader.answer({ changed: [], from: 1000, to: 1001 })).toMatchObject({ rows: [{ text: '999' }] });
    expect(reader.answer({ changed: [''], from: 0, to: 9 })).toMatchObject({ count: 1 });
    expect(new JsonReader().answer({ bytes: bytes('{').buffer, changed: [], from: 0, to: 1 })).toMatchObject({
      is: 'no JSON',
    });
  });
});

it.each([
  ['{"a": 1}', 'application/json', ['json', 'text', 'hex']],
  ['plain', 'text/plain', ['text', 'hex']],
  ['<svg/>', 'image/svg+xml', ['text', 'hex']],
])('%s of type %s can be shown as %j', (text, type, forms) => {
  expect(formsOf(bytes(text), type)).toEqual(forms);
});

it('bytes that are no text are a picture or hexadecimal', () => {
  const png = new Uint8Array([0x89, 0x50, 0, 255]);
  expect(formsOf(png, 'image/png')).toEqual(['image', 'hex']);
  expect(hexOf(png).text).toMatch(/^00000000 {2}89 50 00 ff {37,}\.P\.\.$/);
});

describe('two bodies', () => {
  const compare = (before: string, after: string, most = 200) =>
    comparedBodies({ before: bytes(before).buffer, after: bytes(after).buffer }, most);

  it('are compared field by field', () => {
    expect(compare('{"a": [1, 2], "b": "x"}', '{"a": [1, 3], "c": null}')).toEqual({
      is: 'compared',
      count: 3,
      isCut: false,
      changes: [
        { path: 'a[1]', before: '2', after: '3' },
        { path: 'b', before: '"x"', after: undefined },
        { path: 'c', before: undefined, after: 'null' },
      ],
    });
  });

  it('are compared to their end, and what is not shown is counted', () => {
    const list = (value: number) => JSON.stringify(Array.from({ length: 50_000 }, (_, at) => at * value));
    expect(compare(list(1), list(2), 2)).toMatchObject({ count: 49_999, changes: [{ path: '[1]' }, {}] });
  });

  it('that are no JSON, or too deep, have no fields', () => {
    expect(compare('{', '{}')).toEqual({ is: 'no JSON' });
    expect(compare('['.repeat(200_000) + ']'.repeat(200_000), '{}')).toEqual({ is: 'no JSON' });
  });
});

describe('a request for other tools', () => {
  const request = {
    method: 'POST',
    url: 'https://a.example/x?q=1&r=it%27s',
    headers: [['X-A', `it's`]] as const,
    body: '{"a": "b"}',
  };
  it('is quoted for a shell', () => {
    expect(asCurl(request)).toBe(
      `curl 'https://a.example/x?q=1&r=it%27s' \\\n  -X POST \\\n  -H 'X-A: it'\\''s' \\\n  --data-raw '{"a": "b"}'`,
    );
    expect(asHttpie(request)).toContain(`'X-A:it'\\''s'`);
  });
  it('is code for a browser', () => {
    expect(asFetch(request)).toContain('"method": "POST"');
    expect(asCurl({ method: 'HEAD', url: 'https://a.example/', headers: [] })).toContain('--head');
  });
});
