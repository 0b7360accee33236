/** The history as a file: JSON lines for programs, CSV for spreadsheets. */
import { saysOf, subjectName, type HistoryView } from '@quarterdeck/projections';
import type { Queries, Reader } from './history-filter';

export type ExportFormat = 'csv' | 'jsonl';
type NameOf = (actor: string) => string;

/**
 * A spreadsheet would evaluate a cell that begins with such a sign as a formula. An apostrophe makes it text. In many
 * countries a semicolon or a tab starts a new cell, and a line break in quotes then starts a row. Full-width signs
 * count too.
 */
const SIGNS = '[=+\\-@＝＋－＠]';
const FIRST = new RegExp(`^(?=${SIGNS}|[\\t\\r])`);
const AGAIN = new RegExp(`([;\\t\\r\\n][\\s"']*)(?=${SIGNS})`, 'g');
const inert = (cell: string): string => cell.replace(FIRST, "'").replace(AGAIN, "$1'");

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** RFC 4180. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(inert(cell))).join(',')}\r\n`;

const columns: Record<string, (event: HistoryView, nameOf: NameOf) => string> = {
  position: ({ position }) => position,
  at: ({ at }) => at,
  who: ({ actor }, nameOf) => nameOf(actor),
  says: saysOf,
  subject: subjectName,
  type: ({ type }) => type,
  actor: ({ actor }) => actor,
  category: ({ category }) => category,
  subjectId: ({ subjectId }) => subjectId,
  correlationId: ({ correlationId }) => correlationId,
  causationId: ({ causationId }) => causationId,
  recordedAt: ({ recordedAt }) => recordedAt,
  data: ({ data }) => JSON.stringify(data),
};

const formats: Record<
  ExportFormat,
  { type: string; head: string; line: (event: HistoryView, nameOf: NameOf) => string }
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(Object.keys(columns)),
    line: (event, nameOf) => csvLine(Object.values(columns).map((cell) => cell(event, nameOf))),
  },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    head: '',
    line: (event) => `${JSON.stringify(event)}\n`,
  },
};

export const contentTypeOf = (format: ExportFormat): string => formats[format].type;

/** Names of known people. Other actors appear as in the log: an id, `system`, `cli`. */
export const namesOfPeople = async (db: Queries, { workspace }: Reader): Promise<NameOf> => {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id::text, shown_as as name from app.person_records where workspace::text = $1',
    [workspace],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (actor) => names.get(actor) ?? actor;
};

/** Yields one text per page. The next page is read only after this one was consumed. */
export async function* exportOf(
  pages: AsyncIterable<readonly HistoryView[]>,
  format: ExportFormat,
  nameOf: NameOf,
): AsyncGenerator<string> {
  const { head, line } = formats[format];
  if (head !== '') yield head;
  for await (const events of pages) yield events.map((event) => line(event, nameOf)).join('');
}
