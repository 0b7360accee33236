/** Names of the records that changed values refer to, so a difference says `web-1` and not an id. */
import { fieldsOfKind, plainNouns, streamName, type LoggedEvent, type PlainNoun } from '@quarterdeck/events';
import type { Queries } from './history-filter';

/** By id. */
export type Names = ReadonlyMap<string, string>;

const nouns: readonly PlainNoun[] = plainNouns;

/** The categories that records refer to. A location refers to a service, and a domain to a server. */
const referred: ReadonlySet<string> = new Set([
  'server',
  'service',
  ...nouns.flatMap(({ fields }) => fieldsOfKind(fields, 'reference').map(([, { to = '' }]) => to)),
]);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const idsIn = (value: unknown, into: Set<string>): void => {
  if (typeof value === 'string') {
    if (UUID.test(value)) into.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) idsIn(part, into);
  }
};

/** The present names, also of removed records, of everything that the events mention. */
export const namesIn = async (
  db: Queries,
  workspace: string,
  events: readonly Pick<LoggedEvent, 'data'>[],
): Promise<Names> => {
  const ids = new Set<string>();
  for (const { data } of events) idsIn(data, ids);
  if (ids.size === 0) return new Map();
  const streams = [...referred].flatMap((category) => [...ids].map((id) => streamName(category, id)));
  const { rows } = await db.query<{ id: string; name: string }>(
    'select "subjectId" as id, name from read.subjects where id = any($1) and workspace = $2',
    [streams, workspace],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** The value with the names of references, which are `{ id }`. */
export const withNames = (value: unknown, names: Names): unknown => {
  if (Array.isArray(value)) return value.map((part) => withNames(part, names));
  if (typeof value !== 'object' || value === null) return value;
  const { id, ...others } = value as { id?: unknown };
  const name = typeof id === 'string' && Object.keys(others).length === 0 ? names.get(id) : undefined;
  if (name !== undefined) return name;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNames(part, names)]));
};
