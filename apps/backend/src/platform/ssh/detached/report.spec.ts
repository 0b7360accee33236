import { readReport } from './report';

it('takes the last word on a name and collects what was changed', () => {
  const text = 'os Debian\nchanged one\nos Debian 12\nchanged two\nempty \n';
  expect(readReport(text)).toEqual({ os: 'Debian 12', changed: 'one\ntwo', empty: '' });
});

it('passes over what is no report, and a last line that was cut off', () => {
  expect(readReport('no-name x\n1st x\nalone\n\n spaced x\ngood 1\nhal')).toEqual({ good: '1' });
});

it('holds 64 names, and takes names of objects for names like any other', () => {
  const many = Array.from({ length: 100 }, (_, index) => `n${index} ${index}\n`).join('');
  expect(Object.keys(readReport(many))).toHaveLength(64);
  expect(Object.entries(readReport('constructor 1\ntoString 2\n'))).toEqual([
    ['constructor', '1'],
    ['toString', '2'],
  ]);
});
