/** Parsers for nginx's configuration test and its logs. Pure. */
import { matchedRows, type Block, type Result } from './blocks';

/** Matches `[emerg] 12#12: unknown directive "foo" in /etc/nginx/n.conf:3` after `nginx:` or a time. */
const PROBLEM =
  /^(?:nginx: |\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )\[(\w+)\] (?:\d+#\d+: )?(.*?)(?: in (\/.{1,1023}):(\d+))?$/;
const VERDICT = /^nginx: configuration file .+ test (is successful|failed)$/;
const SYNTAX = /^nginx: the configuration file .+ syntax is ok$/;

const problemsIn = (lines: readonly string[]): Block | undefined => {
  const rows = matchedRows(lines, PROBLEM);
  return rows && rows.length > 0
    ? {
        is: 'table',
        columns: ['Level', 'Problem', 'File', 'Line'],
        rows: rows.map(([level = '', problem = '', file = '', line = '']) => [level, problem, file, line]),
      }
    : undefined;
};

/** Result of the configuration test. The lines after it are sentences printed by our own script. */
export const nginxTest = (text: string): Result => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => VERDICT.test(line));
  if (at < 0) return undefined;
  const valid = VERDICT.exec(lines[at] ?? '')?.[1] === 'is successful';
  const problems = lines.slice(0, at).filter((line) => !SYNTAX.test(line));
  const table = problemsIn(problems);
  if (problems.length > 0 && !table) return undefined;
  const verdict: Block = {
    is: 'sentence',
    text: valid ? 'The configuration is valid.' : 'The configuration is not valid.',
    tone: valid ? 'good' : 'bad',
  };
  const rest = lines.slice(at + 1).map((line): Block => ({ is: 'sentence', text: line, tone: 'quiet' }));
  return [verdict, ...(table ? [table] : []), ...rest];
};

const SECTION = /^== (\/.+) \(last 100 lines\)$/;
const ACCESS = /^(\S+) \S+ (\S+) \[([^\]]+)\] "([^"]*)" (\d{3}) (\d+|-)(?: "([^"]*)" "([^"]*)")?/;
const ERROR = /^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(\w+)\] \d+#\d+: (?:\*\d+ )?(.*)$/;

const logTable = (title: string, lines: readonly string[]): Block | undefined => {
  const [only] = lines;
  if (lines.length === 0 || (lines.length === 1 && only === '(empty)'))
    return { is: 'sentence', text: `${title} is empty.`, tone: 'quiet' };
  if (lines.length === 1 && /^There is no file |^The account .+ may not read /.test(only ?? ''))
    return { is: 'sentence', text: only ?? '', tone: 'bad' };
  const errors = matchedRows(lines, ERROR);
  if (errors) return { is: 'table', title, columns: ['Time', 'Level', 'Message'], rows: errors.toReversed() };
  const requests = matchedRows(lines, ACCESS);
  return (
    requests && {
      is: 'table',
      title,
      columns: ['Time', 'Status', 'Request', 'Client', 'Bytes'],
      rows: requests
        .toReversed()
        .map(([client = '', , at = '', request = '', status = '', bytes = '']) => [
          at,
          status,
          request,
          client,
          bytes,
        ]),
    }
  );
};

/** Both logs, newest line first; `undefined` if either has a custom format. */
export const nginxLogs = (text: string): Result => {
  const sections: { title: string; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const title = SECTION.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, lines: [] });
    else if (line.trim() !== '') {
      const section = sections.at(-1);
      if (!section) return undefined;
      section.lines.push(line);
    }
  }
  const blocks = sections.map(({ title, lines }) => logTable(title, lines));
  return blocks.length > 0 && blocks.every((block) => block !== undefined) ? blocks : undefined;
};
