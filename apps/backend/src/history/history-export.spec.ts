// covers: AUD-01
import { csvLine } from './history-export';

describe('a line of CSV', () => {
  test.each([
    ['=1+1', `'=1+1`],
    ['+49 30', `'+49 30`],
    ['-2', `'-2`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['\r=1', `"'\r=1"`],
    ['a=b', 'a=b'],
    ['{"a":1}', '"{""a"":1}"'],
    ['a,b', '"a,b"'],
    ['two\nlines', '"two\nlines"'],
    [`=HYPERLINK("x","y")`, `"'=HYPERLINK(""x"",""y"")"`],
    ['', ''],
  ])('makes %j inert and whole', (cell, expected) => {
    expect(csvLine([cell, 'next'])).toBe(`${expected},next\r\n`);
  });
});
