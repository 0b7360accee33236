// covers: AUD-01
import type { HistoryView } from '@quarterdeck/projections';
import { csvLine, exportOf } from './history-export';

describe('a line of CSV', () => {
  test.each([
    ['=1+1', `'=1+1`],
    ['+49 30', `'+49 30`],
    ['-2', `'-2`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t'=1`],
    ['\r=1', `"'\r'=1"`],
    ['＝1+1', `'＝1+1`],
    ['＋1', `'＋1`],
    ['－1', `'－1`],
    ['＠SUM(A1)', `'＠SUM(A1)`],
    ['a;=1+1', `a;'=1+1`],
    ['a; "=1+1"', `"a; ""'=1+1"""`],
    ['a\t-1;＝2', `a\t'-1;'＝2`],
    ['a\n=1', `"a\n'=1"`],
    ['a;b', 'a;b'],
    ['a=b', 'a=b'],
    ['{"a":1}', '"{""a"":1}"'],
    ['a,b', '"a,b"'],
    ['two\nlines', '"two\nlines"'],
    [`=HYPERLINK("x","y")`, `"'=HYPERLINK(""x"",""y"")"`],
    ['', ''],
  ])('escapes %j without losing anything', (cell, expected) => {
    expect(csvLine([cell, 'next'])).toBe(`${expected},next\r\n`);
  });
});

describe('an event about a person', () => {
  const event = (actor: string, id: string, says: string): HistoryView => ({
    position: '1',
    id: 'e1',
    type: 'PersonRemoved',
    stream: `person-${id}`,
    revision: 0,
    at: '',
    recordedAt: '',
    actor,
    workspace: 'w',
    subject: { category: 'person', id },
    category: 'person',
    subjectId: id,
    says,
    correlationId: 'c',
    causationId: 'c',
    audience: 'admin',
    data: {},
  });
  const nameOf = (id: string): string => ({ ada: 'Ada', bob: 'Bob', gone: 'Former member' })[id] ?? id;

  test.each([
    ['ada', 'bob', 'was removed from the workspace', 'Ada,removed Bob from the workspace,Bob'],
    [
      'ada',
      'gone',
      'was removed from the workspace',
      'Ada,removed Former member from the workspace,Former member',
    ],
    ['bob', 'bob', 'changed their name', 'Bob,changed their name,Bob'],
  ])('by %s about %s names its subject in CSV', async (actor, subject, says, expected) => {
    const lines: string[] = [];
    const pages = async function* () {
      yield [event(actor, subject, says)];
    };
    for await (const line of exportOf(pages(), 'csv', nameOf)) lines.push(line);
    expect(lines.join('')).toContain(`,${expected},PersonRemoved,`);
  });
});
