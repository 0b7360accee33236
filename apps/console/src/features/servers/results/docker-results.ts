/** Parsers for the output of the fixed docker commands. Pure. */
import { alignedRows, paragraphs, type Block, type Result, type ResultTable } from './blocks';

const tableOf = (
  lines: readonly string[],
  headings: readonly string[],
  columns: readonly string[],
  title?: string,
): ResultTable | undefined => {
  const rows = alignedRows(lines, headings);
  return rows && { is: 'table', ...(title !== undefined && { title }), columns, rows };
};

/** The sentence that our scripts print where docker would print only headings. */
const nothing = (lines: readonly string[]): Block | undefined => {
  const text = lines.find((line) => /^(?:There are no|No) \w+ .*on this server\.$/.test(line));
  return text === undefined ? undefined : { is: 'sentence', text, tone: 'quiet' };
};

export const containers = (text: string): Result => {
  const [lines = []] = paragraphs(text);
  const block =
    nothing(lines) ??
    tableOf(lines, ['NAMES', 'IMAGE', 'STATUS', 'PORTS'], ['Name', 'Image', 'State', 'Ports']);
  return block && [block];
};

export const usage = (text: string): Result => {
  const [lines = []] = paragraphs(text);
  const block =
    nothing(lines) ??
    tableOf(
      lines,
      ['NAME', 'CPU %', 'MEM USAGE / LIMIT', 'MEM %', 'NET I/O', 'BLOCK I/O', 'PIDS'],
      ['Name', 'CPU', 'Memory, limit', 'Memory', 'Network in, out', 'Disk read, written', 'Processes'],
    );
  return block && [block];
};

export const images = (text: string): Result => {
  const [list = [], space = []] = paragraphs(text);
  const found =
    nothing(list) ??
    tableOf(
      list,
      ['REPOSITORY', 'TAG', 'IMAGE ID', 'CREATED', 'SIZE'],
      ['Repository', 'Tag', 'Id', 'Created', 'Size'],
      'Images',
    );
  const used = tableOf(
    space,
    ['TYPE', 'TOTAL', 'ACTIVE', 'SIZE', 'RECLAIMABLE'],
    ['Kind', 'Count', 'In use', 'Size', 'Can be freed'],
    'Space',
  );
  return found && used && [found, used];
};

const DELETED = /^Deleted (.+):$/;

/** Counts deleted items. Under `Deleted Images:` docker lists layers and untagged names; only the layers count. */
export const prune = (text: string): Result => {
  const freed = /^Total reclaimed space: (.+)$/m.exec(text)?.[1];
  if (freed === undefined) return undefined;
  const sections: { what: string; count: number }[] = [];
  for (const line of text.split('\n')) {
    const what = DELETED.exec(line)?.[1];
    const section = sections.at(-1);
    if (what !== undefined) sections.push({ what, count: 0 });
    else if (section && /^\S+$|^(?:deleted|untagged): /.test(line) && !line.startsWith('untagged: '))
      section.count += 1;
  }
  const facts = sections.map(({ what, count }) => ({
    name: `${what[0]?.toUpperCase()}${what.slice(1).toLowerCase()}`,
    value: what === 'Images' ? `${count} layers` : String(count),
  }));
  return [{ is: 'facts', facts: [{ name: 'Freed', value: freed }, ...facts] }];
};
