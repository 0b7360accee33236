/**
 * A drill restores the newest archive, with its whole chain, into a throw-away database, using the same code as in an
 * emergency. Then it verifies the log and the read models and counts the rows.
 */
import type { EventData } from '@quarterdeck/events';
import { verify } from '@quarterdeck/log/store';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import { auditedLog, readModelsOf, type Log, type Program } from '../../platform/boot';
import { createLogger } from '../../platform/logging';
import { ArchiveRefused } from '../archive/head';
import { checkParts, type Archive } from '../archive/read';
import { neededOf } from '../restore/plan';
import { restore } from '../restore/restore';
import { ownIdentity } from '../own-identity';
import { countedIn, type TableRows } from '../tables';
import { inThrowaway } from './throwaway';

/** The restored data differ from the backup. */
export class DrillMissed extends Error {
  override name = 'DrillMissed';
}

export interface Drilling extends Pick<Program, 'config' | 'tables'> {
  /** The live database, and the data folder of an embedded Postgres. */
  live: { url: string; folder: string | undefined };
  masterKey: { id: string; key: Buffer };
  /** Local files, the full archive first. */
  archives: readonly Archive[];
  tell: (part: string) => void;
  signal: AbortSignal;
}

export type Proof = Omit<EventData<'DrillPassed'>, 'work' | 'at' | 'durationMs'>;

/** Tables may have more rows than counted: an increment does not record which rows were removed. */
const countRows = async (
  pool: Pool,
  tables: { rows: TableRows },
  archives: readonly Archive[],
): Promise<number> => {
  let rows = 0;
  const heads = archives.map(({ head }) => head);
  for (const { table, exact, expected } of countedIn(tables.rows, heads)) {
    const found = await pool.query<{ rows: string }>(`select count(*) as rows from ${table}`);
    const restored = Number(found.rows[0]?.rows);
    if (exact ? restored !== expected : restored < expected)
      throw new DrillMissed(`table ${table} was restored with ${restored} rows, and had ${expected}`);
    rows += restored;
  }
  return rows;
};

/** Does not count the last event, which records the arrival of the log in the throw-away database. */
const auditEvents = async ({ store, pool }: Log, archives: readonly Archive[]): Promise<number> => {
  const { ok, foreign, firstBad, events } = await verify(await auditedLog(store, pool));
  // Events of other programs were in the live log too, and the hash chain covers them.
  if (!ok && foreign === undefined) throw new DrillMissed(`the restored log is broken: ${firstBad?.problem}`);
  const expected = archives.reduce((sum, { head }) => sum + head.log.events, 0);
  if (events !== expected + 1)
    throw new DrillMissed(`${events - 1} events were restored, and the archives have ${expected}`);
  return expected;
};

const verifyViews = async ({ store, pool, url }: Log): Promise<number> => {
  const projections = readModelsOf(store);
  const runner = new ProjectionRunner({ db: pool, connectionString: url, store, projections, lead: false });
  const results = await runner.verify('all');
  const bad = results.find(({ ok }) => !ok);
  if (bad)
    throw new DrillMissed(
      `read model ${bad.projection} ${bad.problem ?? `differs in ${bad.differing} rows from what the log says`}`,
    );
  return results.reduce((sum, { rows }) => sum + rows, 0);
};

/**
 * Verifies a restored log with its database.
 * @param archives that were restored, the full one first
 * @throws DrillMissed
 */
export const proofOf = async (
  log: Log,
  tables: { rows: TableRows },
  archives: readonly Archive[],
  tell: (part: string) => void = () => undefined,
): Promise<Proof> => {
  const { head } = archives.at(-1)!;
  tell('rows');
  const rows = await countRows(log.pool, tables, archives);
  tell('audit');
  const events = await auditEvents(log, archives);
  tell('read models');
  const viewRows = await verifyViews(log);
  const ids = archives.map(({ head: { id } }) => id);
  return { archives: ids, takenAt: head.takenAt, end: head.log.end.position, events, rows, viewRows };
};

/** @throws ArchiveRefused, DrillMissed, CannotDrill */
export const drill = async (drilling: Drilling): Promise<Proof> => {
  const { config, tables, live, masterKey, tell, signal } = drilling;
  const said = (part: string): void => {
    signal.throwIfAborted();
    tell(part);
  };
  const archives = neededOf(drilling.archives, undefined, tables.steps);
  const other = archives.find(({ head }) => head.masterKey !== masterKey.id);
  if (other)
    throw new ArchiveRefused(
      `${other.file}: it needs master key ${other.head.masterKey}, and the console has ${masterKey.id} now: take a backup`,
    );
  for (const archive of archives) await checkParts(archive, () => said('archives'));
  said('database');
  const { EVENT_STORE_URL: _, ...plain } = config;
  return inThrowaway(live, async (url) => {
    let proof: Proof | undefined;
    await restore({
      config: { ...plain, DATABASE_URL: url, MASTER_KEY: masterKey.key.toString('base64') },
      // Faults in the throw-away database are no outage of the console. They end the drill, which reports them.
      logger: createLogger('silent'),
      tables,
      archives,
      key: { identities: [ownIdentity(masterKey.key)] },
      signal,
      tell: () => said('restore'),
      check: async (log) => {
        proof = await proofOf(log, tables, archives, said);
      },
    });
    return proof!;
  });
};
