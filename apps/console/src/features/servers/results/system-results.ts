/** Parsers for the output of the fixed commands about memory, system and folders. Pure. */
import { matchedRows, paragraphs, type Block, type Result } from './blocks';

const MEMORY_HEAD = /^MiB +total +used +available +in use$/;
const MEMORY_ROW = /^(\S+) +([\d.]+) +([\d.]+) +([\d.]+) +(\d+) %$/;
const PROCESS_ROW = /^ *(\d+) +(\d+) {2}(.*)$/;
const INFO_ROW = /^(\S+)(?: +(\S(?:.*\S)?))? *$/;
const DISKS_HEAD = /^Filesystem +Size +Used +Avail +(?:Use%|Capacity) +Mounted on$/;
const DISK_ROW = /^(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S.*)$/;
const FOLDER_ROW = /^ *(\S+) {2}(.{16}) {2}(.+)$/;

/** Formats a size given in MiB. */
const gib = (mib: string): string =>
  Number(mib) < 1024 ? `${Math.round(Number(mib))} MiB` : `${(Number(mib) / 1024).toFixed(1)} GiB`;

const memoryTable = ([head = '', ...lines]: readonly string[]): Block | undefined => {
  const rows = MEMORY_HEAD.test(head) ? matchedRows(lines, MEMORY_ROW) : undefined;
  return (
    rows && {
      is: 'table',
      title: 'Memory',
      columns: ['Memory', 'In use', 'Used', 'Available', 'Total'],
      rows: rows.map(([name = '', total = '', used = '', available = '', share = '']) => [
        name === 'swap' ? 'Swap' : 'Memory',
        total === '0.0' ? 'none' : `${share} %`,
        gib(used),
        gib(available),
        gib(total),
      ]),
    }
  );
};

export const memory = (text: string): Result => {
  const [first = [], [title, head, ...lines] = []] = paragraphs(text);
  const table = memoryTable(first);
  const rows = matchedRows(lines, PROCESS_ROW);
  if (!table || !rows || title !== 'Largest processes' || !/^ *MiB +pid {2}name$/.test(head ?? ''))
    return undefined;
  const processes = rows.map(([mib = '', pid = '', name = '']) => [name, pid, gib(mib)]);
  return [table, { is: 'table', title, columns: ['Process', 'PID', 'Memory'], rows: processes }];
};

const names: Record<string, string> = {
  host: 'Host name',
  up: 'Running for',
  load: 'Load',
  nginx: 'nginx',
  docker: 'Docker',
  compose: 'Docker Compose',
};

export const system = (text: string): Result => {
  const [info = [], memoryLines = [], disks = []] = paragraphs(text);
  const facts = matchedRows(info, INFO_ROW);
  const table = memoryTable(memoryLines);
  // `df` right-aligns numbers, so its cells are split at blanks, not at the headings.
  const rows = DISKS_HEAD.test(disks[0] ?? '') ? matchedRows(disks.slice(1), DISK_ROW) : undefined;
  if (!facts || facts[0]?.[0] !== 'host' || !table || !rows) return undefined;
  return [
    {
      is: 'facts',
      facts: facts
        .filter(([, value]) => value !== '')
        .map(([name = '', value = '']) => ({
          name: names[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`,
          value,
        })),
    },
    table,
    {
      is: 'table',
      title: 'Disks',
      columns: ['Mounted on', 'In use', 'Used', 'Available', 'Size', 'Device'],
      rows: rows.map(([device = '', size = '', used = '', free = '', share = '', mount = '']) => [
        mount,
        share.replace('%', ' %'),
        used,
        free,
        size,
        device,
      ]),
    },
  ];
};

export const folders = (text: string): Result => {
  const [[summary = '', ...more] = [], [head = '', ...lines] = []] = paragraphs(text);
  if (more.length > 0 || !/^.+: \d+ folders, \d+ files$/.test(summary)) return undefined;
  const says: Block = { is: 'sentence', text: summary, tone: 'quiet' };
  if (head === '' && lines.length === 0) return [says];
  const rows = matchedRows(lines, FOLDER_ROW);
  if (!rows || !/^ *size {2}changed +folder$/.test(head)) return undefined;
  return [
    says,
    {
      is: 'table',
      columns: ['Folder', 'Size', 'Changed'],
      rows: rows.map(([size = '', changed = '', folder = '']) => [
        folder === '(in all)' ? 'Total' : folder,
        size === 'link' ? 'Link' : size,
        changed.trim(),
      ]),
    },
  ];
};
