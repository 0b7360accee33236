/** Which streams have to be folded again to show the rows of a read model at an instant. */
import { comparePositions, streamName, streamParts, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import type { Client } from 'pg';
import type { AnyProjection } from '../define-projection';
import { same } from '../hashed';
import type { LaneName } from './lanes';
import { PLACES } from './schema';
import { viewOf } from './tables';

/** An instant in the history of one workspace. */
export interface Instant {
  workspace: string;
  /** Position of the last event up to then. */
  position: Position;
  /** ISO instant. */
  at: string;
}

/** Ids of streams, by category. */
export type Streams = ReadonlyMap<string, ReadonlySet<string>>;

/** Streams that have changed after a position, and existed then. The cost depends only on the number of these changes. */
const CONTINUED = `
  select category, "subjectId" as id from read.history where ${same('workspace', '$1')} and position > $2
  group by category, "subjectId" having min(revision) > 0`;

/** The same for a position near the beginning. The cost depends only on the number of events before it. */
const CONTINUED_OF_OLD = `
  with old as materialized (
    select distinct category, "subjectId" as id from read.history where ${same('workspace', '$1')} and position <= $2)
  select category, id from old
  where (select max(later.position) from read.history later
    where ${same('later.workspace', '$1')} and ${same('later."subjectId"', 'old.id')} and later.category = old.category) > $2`;

/** An instant is old if less than this part of the log is before it. */
const OLD = 0.3;

const NEWEST = `
  select (select h.position from read.history h
    where ${same('h.workspace', '$1')} order by h.position desc limit 1) as newest, p.*
  from (select ${PLACES} from read.places where state = 'live') p`;

type Newest = Record<LaneName | 'newest', Position | null>;

/** What a workspace has recorded last, as a snapshot of the read models shows it. */
export interface Recent {
  /** Position of the newest event. */
  seen: Position;
  /** Of the newest event in the history, and so in all read models that follow later. */
  written: Position;
  /** Streams of the events that the history does not have yet, except new ones. */
  unwritten: readonly string[];
}

export async function recent(
  client: Client,
  store: EventStore,
  { workspace, position }: Instant,
): Promise<Recent> {
  const { rows } = await client.query<Newest>(NEWEST, [workspace]);
  const { newest = null, now = null, later = null } = rows[0] ?? {};
  const written = newest ?? position;
  let seen = written;
  const unwritten: string[] = [];
  if (now !== null && later !== null && comparePositions(later, now) < 0)
    for await (const page of store.readOn(later, { upTo: now }))
      for (const { stream, revision, meta, position: at } of page) {
        if (meta.workspace !== workspace) continue;
        seen = at;
        if (revision > 0) unwritten.push(stream);
      }
  return { seen, written, unwritten };
}

/** Adds the streams that have changed since the last look. */
export async function continuedStreams(
  client: Client,
  { workspace, position }: Instant,
  { seen, unwritten }: Recent,
  before?: { seen: Position; streams: Streams },
): Promise<Streams> {
  const isOld = before === undefined && Number(position) < OLD * Number(seen);
  const { rows } = await client.query<{ category: string; id: string }>(
    isOld ? CONTINUED_OF_OLD : CONTINUED,
    // Streams that began between both looks are found as well. They have no events up to the instant.
    [workspace, before?.seen ?? position],
  );
  const streams = new Map([...(before?.streams ?? [])].map(([category, ids]) => [category, new Set(ids)]));
  for (const { category, id } of [...rows, ...unwritten.map(streamParts)]) {
    const ids = streams.get(category) ?? new Set<string>();
    streams.set(category, ids.add(id));
  }
  return streams;
}

/** Filters the streams to those that the read model's rows at a position may need. Returns stream names. */
export async function streamsOf(
  client: Client,
  projection: AnyProjection,
  streams: Streams,
  { position, except }: { position: Position; except: ReadonlySet<string> },
): Promise<string[]> {
  const { rowPer } = projection;
  const named = ([category, ids]: [string, ReadonlySet<string>]): [key: string, name: string][] =>
    [...ids].map((id) => {
      const name = streamName(category, id);
      return [rowPer === 'any' ? name : id, name];
    });
  const chosen = rowPer === undefined || rowPer === 'any' ? streams : onlyOf(streams, rowPer);
  const found = [...chosen].flatMap(named).filter(([, name]) => !except.has(name));
  if (rowPer === undefined || found.length === 0) return found.map(([, name]) => name);
  // A stream whose row has not changed since then need not be read.
  const isAbsent = rowPer === 'any' ? '' : 'r.id is null or';
  const { rows } = await client.query<{ name: string }>(
    `select s.name from unnest($1::text[], $2::text[]) as s(key, name)
     left join ${viewOf(projection)} r on r.id = s.key collate "C" where ${isAbsent} r.position > $3`,
    [found.map(([key]) => key), found.map(([, name]) => name), position],
  );
  return rows.map(({ name }) => name);
}

const onlyOf = (streams: Streams, category: string): Streams =>
  new Map([[category, streams.get(category) ?? new Set<string>()]]);
