/** Attacks on the log by someone with access to the database, who can turn off the triggers that prevent them. */
import { chainLink, GENESIS } from '@quarterdeck/log/store';
import type { Pool } from 'pg';

export interface Tampering {
  what: string;
  /** For an event that is neither the first nor the last. */
  statements(at: number): string[];
  /** The event that must be named. */
  named(at: number): number;
  problem: RegExp;
}

const altered = (what: string, change: string): Tampering => ({
  what,
  statements: (at) => [`update log.events set ${change} where position = ${at}`],
  named: (at) => at,
  problem: /altered/,
});

export const tamperings: Tampering[] = [
  altered('an altered event', `data = '{"alias":"other"}'`),
  altered('an altered actor', `meta = replace(meta::text, '"actor":"', '"actor":"x')::json`),
  altered('an altered time', `recorded_at = recorded_at - interval '1 hour'`),
  altered('an altered type', `type = 'ServerPainted'`),
  {
    what: 'a dropped event',
    statements: (at) => [`delete from log.events where position = ${at}`],
    named: (at) => at,
    problem: /missing/,
  },
  {
    what: 'a dropped first event',
    statements: () => ['delete from log.events where position = 1'],
    named: () => 1,
    problem: /missing/,
  },
  {
    what: 'a cut tail',
    statements: (at) => [`delete from log.events where position > ${at}`],
    named: (at) => at + 1,
    problem: /missing/,
  },
  {
    what: 'two swapped events',
    statements: (at) => [
      `update log.events set position = 1000000 where position = ${at}`,
      `update log.events set position = ${at} where position = ${at + 1}`,
      `update log.events set position = ${at + 1} where position = 1000000`,
    ],
    named: (at) => at,
    problem: /altered/,
  },
  {
    what: 'an inserted event',
    statements: (at) => [
      `update log.events set position = -position where position > ${at}`,
      'update log.events set position = 1 - position where position < 0',
      `insert into log.events select ${at + 1}, stream, 1000, gen_random_uuid(), type, data, meta, recorded_at, hash
       from log.events where position = ${at}`,
      'update log.head set position = position + 1',
    ],
    named: (at) => at + 1,
    problem: /altered/,
  },
  {
    what: 'a log emptied by truncate',
    statements: () => ['truncate log.events'],
    named: () => 1,
    problem: /missing/,
  },
];

/** Alters the last event and corrects every hash: only an earlier seal reveals it. */
export const tailWrittenAnew = (last: number): string[] => [
  `update log.events set data = '{"alias":"other"}' where position = ${last}`,
  `update log.events as e set hash = sha256(p.hash || convert_to(log.line(e.position, e.stream, e.revision, e.event_id, e.type,
     log.instant(e.recorded_at), e.data::text, e.meta::text), 'UTF8'))
   from log.events as p where p.position = e.position - 1 and e.position = ${last}`,
  `update log.head set hash = (select hash from log.events where position = ${last})`,
];

export const tamper = async (db: Pool, statements: string[]): Promise<void> => {
  const client = await db.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const sql of statements) await client.query(sql);
  } finally {
    // Not returned to the pool: the next user must have the triggers on.
    client.release(true);
  }
};

/**
 * An attack on a copy of the log. The first line of a copy is the header, the last the seal, and each other line an
 * event.
 */
export interface CopyTampering {
  what: string;
  change(lines: string[]): string[];
  /** Line, in the original copy, of the event that must be named; null if no event is to blame. */
  named: number | null;
  /** The same if positions have gaps: a missing event shows only in the next one. */
  namedInGaps?: number;
}

export const positionIn = (line = ''): string => /"position":"(\d+)"/.exec(line)?.[1] ?? '';
export const typeIn = (line = ''): string => /"type":"(\w+)"/.exec(line)?.[1] ?? '';

/** Removes the last two events and adjusts the end of the copy. */
export const cutWithNewSeal = (lines: string[]): string[] => {
  const kept = lines.slice(0, -3);
  const last = kept.at(-1) ?? '';
  const hash = /"hash":"([0-9a-f]{64})"/.exec(last)?.[1];
  return [...kept, JSON.stringify({ seal: { position: positionIn(last), hash } })];
};

/** Alters an event and adjusts every later hash. */
export const alteredWithNewHashes = (lines: string[]): string[] => {
  const told = lines.with(5, (lines[5] ?? '').replace('"actor":"', '"actor":"x'));
  let head = { position: '0', hash: GENESIS };
  const chained = told.slice(1, -1).map((text) => {
    const line = text.slice(text.indexOf('"event":') + 8, -1);
    head = { position: positionIn(line), hash: chainLink(head.hash, line) };
    return `{"hash":"${head.hash}","event":${line}}`;
  });
  return [told[0] ?? '', ...chained, JSON.stringify({ seal: head })];
};

export const copyTamperings: CopyTampering[] = [
  {
    what: 'an altered event',
    change: (lines) => lines.with(5, (lines[5] ?? '').replace('"actor":"', '"actor":"x')),
    named: 5,
  },
  {
    what: 'an altered hash',
    change: (lines) =>
      lines.with(
        5,
        (lines[5] ?? '').replace(/"hash":"(.)/, (_, first: string) => `"hash":"${first === 'f' ? '0' : 'f'}`),
      ),
    named: 5,
  },
  { what: 'a dropped event', change: (lines) => lines.toSpliced(5, 1), named: 5, namedInGaps: 6 },
  { what: 'a dropped first event', change: (lines) => lines.toSpliced(1, 1), named: 1, namedInGaps: 2 },
  { what: 'a doubled event', change: (lines) => lines.toSpliced(5, 0, lines[5] ?? ''), named: 5 },
  {
    what: 'two swapped events',
    change: (lines) => lines.with(5, lines[6] ?? '').with(6, lines[5] ?? ''),
    named: 5,
    namedInGaps: 6,
  },
  {
    what: 'an inserted event',
    change: (lines) => lines.toSpliced(5, 0, (lines[5] ?? '').replace('"actor":"', '"actor":"x')),
    named: 5,
  },
  { what: 'a cut end', change: (lines) => lines.slice(0, -3), named: null },
  { what: 'a cut seal', change: (lines) => lines.slice(0, -1), named: null },
  { what: 'no header', change: (lines) => lines.slice(1), named: null },
  {
    what: 'something after the seal',
    change: (lines) => [...lines, lines[1] ?? ''],
    named: null,
  },
  { what: 'a line that is no event', change: (lines) => lines.toSpliced(5, 0, '{}'), named: null },
];
