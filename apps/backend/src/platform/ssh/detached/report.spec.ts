import { readReport } from './report';

it('keeps the last value of a name, and collects changes', () => {
  const text = 'os Debian\nchanged one\nos Debian 12\nchanged two\nempty \n';
  expect(readReport(text)).toEqual({ os: 'Debian 12', changed: 'one\ntwo', empty: '' });
});

it('ignores lines that are not reports, and an incomplete last line', () => {
  expect(readReport('no-name x\n1st x\nalone\n\n spaced x\ngood 1\nhal')).toEqual({ good: '1' });
});

it('keeps 64 names, and treats names such as __proto__ like any other', () => {
  const many = Array.from({ length: 100 }, (_, index) => `n${index} ${index}\n`).join('');
  expect(Object.keys(readReport(many))).toHaveLength(64);
  expect(Object.entries(readReport('constructor 1\ntoString 2\n'))).toEqual([
    ['constructor', '1'],
    ['toString', '2'],
  ]);
});
