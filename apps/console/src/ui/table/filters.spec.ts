/** covers: TBL-01, SHELL-11 */
import { compareValues, filterOf, occurring, parseCategories, parseRange } from '@quarterdeck/projections';
import { inWords, writeCategories, writeRange } from './filters';
import { readView, writeView } from './table-address';

describe('filters', () => {
  test('a text filter matches a part of the text and ignores case', () => {
    expect(filterOf('text', 'web')('Web-1')).toBe(true);
    expect(filterOf('text', 'web')(undefined)).toBe(false);
  });

  test('a number filter has inclusive bounds, each of which may be open', () => {
    expect([21, 22, 80, 81].map((port) => filterOf('number', '22..80')(port))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(filterOf('number', '22')(22)).toBe(true);
    expect(filterOf('number', '22..')(23)).toBe(true);
    expect(filterOf('number', '..22')(23)).toBe(false);
    expect(filterOf('number', '..22')('none')).toBe(false);
  });

  test('a category filter matches any of its values, which may contain commas', () => {
    const written = writeCategories(['a,b', 'c']);
    expect(parseCategories(written)).toEqual(['a,b', 'c']);
    expect(filterOf('category', written)('a,b')).toBe(true);
    expect(filterOf('category', written)('b')).toBe(false);
    expect(parseCategories('%zz')).toEqual(['%zz']);
  });

  test('are described in words', () => {
    expect(inWords({ header: 'Host', filter: 'text' }, 'web')).toBe('Host contains web');
    expect(inWords({ header: 'State', filter: 'category' }, 'a,b')).toBe('State is a or b');
    expect(inWords({ header: 'State', filter: 'select' }, 'a')).toBe('State is a');
    expect(
      ['22', '22..80', '22..', '..80'].map((port) => inWords({ header: 'Port', filter: 'number' }, port)),
    ).toEqual(['Port is 22', 'Port 22 to 80', 'Port from 22', 'Port up to 80']);
  });

  test('written ranges can be parsed again', () => {
    expect(parseRange(writeRange(undefined, 5))).toEqual({ max: 5 });
    expect(writeRange(undefined, undefined)).toBe('');
  });

  test('names are sorted in natural order', () => {
    expect(['web-10', 'Web-2', 'db'].sort(compareValues)).toEqual(['db', 'Web-2', 'web-10']);
    expect([10, 9, 100].sort(compareValues)).toEqual([9, 10, 100]);
  });

  test('the choices of a filter are the values that occur', () => {
    expect(
      occurring([{ s: 'b' }, { s: 'a' }, { s: 'b' }, { s: '' }], {
        id: 's',
        value: (row) => row.s,
      }),
    ).toEqual(['a', 'b']);
  });
});

describe('the address of a table', () => {
  const view = {
    search: 'web',
    sort: { id: 'alias', desc: true },
    page: 3,
    filters: [{ id: 'port', value: '22..' }],
  };

  test('contains the state of the table and omits defaults', () => {
    const written = writeView(new URLSearchParams('tab=runs'), '', view);
    expect(decodeURIComponent(written.toString())).toBe('tab=runs&q=web&sort=-alias&page=3&f.port=22..');
    expect(readView(written, '')).toEqual(view);
    expect(writeView(written, '', { search: '', page: 1, filters: [] }).toString()).toBe('tab=runs');
  });

  test('keeps two tables apart', () => {
    const both = writeView(writeView(new URLSearchParams(), 'a.', view), 'b.', { ...view, page: 1 });
    expect(readView(both, 'a.').page).toBe(3);
    expect(readView(both, 'b.').page).toBe(1);
  });

  test('treats an invalid page number as page 1', () => {
    expect(['0', '-1', '1.5', 'x'].map((page) => readView(new URLSearchParams({ page }), '').page)).toEqual([
      1, 1, 1, 1,
    ]);
  });
});
