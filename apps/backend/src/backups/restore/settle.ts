/**
 * Ends what a restored console must not continue, because the old console may still be running: sessions and links end,
 * work in progress is interrupted, and scheduled work waits until somebody releases it.
 */
import type { Pool, PoolClient } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { streamName, type EventData } from '@quarterdeck/events';
import { MAINTENANCE_ID } from '@quarterdeck/events/catalogue';
import type { RunView } from '@quarterdeck/projections';
import { RESTORING, transaction } from '../../platform/database';
import { Decisions } from '../../platform/decisions';
import { inView } from '../../platform/in-view';
import { HELD } from '../../platform/leases';
import { type CommandMeta, ownMeta } from '../../platform/sessions';
import type { EventStore } from '../../platform/tokens';
import { EndRun, runsDecider } from '../../runs';
import { EndMaintenance, maintenanceDecider } from '../../superadmin';
import type { Archive } from '../archive/read';
import { RecordRestoration, ReleaseScheduledWork, restorationsDecider } from '../restorations.decider';
import { BackupBook } from '../work/backup-book';
import { inWords, type UpTo } from './plan';

const INSTALLATION = '-';
const ACTOR = 'cli';

/** How many of each were ended. */
export interface Settled {
  sessions: number;
  links: number;
  runs: number;
}

interface Restored {
  pool: Pool;
  store: EventStore;
  archive: Archive;
  position: string;
  upTo: UpTo | undefined;
}

const endSessions = async (client: PoolClient): Promise<Omit<Settled, 'runs'>> => {
  const sessions = await client.query('delete from app.sessions');
  const links = await client.query(
    'delete from app.sign_in_links where used_at is null and expires_at > now()',
  );
  await client.query('delete from app.sign_in_links');
  const codes = await client.query(
    'update app.invitations set code = null where code is not null and closed_at is null and expires_at > now()',
  );
  return { sessions: sessions.rowCount ?? 0, links: (links.rowCount ?? 0) + (codes.rowCount ?? 0) };
};

/**
 * The tables are as of the backup. Deletes output whose removal is recorded in the log, and rows about entities that
 * were created after `upTo`.
 */
const tidy = async (client: PoolClient, upTo: UpTo | undefined): Promise<void> => {
  await client.query(
    `delete from app.run_output o using read.runs r
     where r.id = o.run::text and ${inView<RunView>('r.view').json('outputRemoved')} is not null`,
  );
  if (upTo === undefined) return;
  for (const table of ['run_output', 'ssl_checks'])
    await client.query(
      `delete from app.${table} t where not exists (select from read.runs r where r.id = t.run::text)`,
    );
  for (const table of ['health_samples', 'service_samples', 'site_traffic'])
    await client.query(
      `delete from app.${table} s where not exists (select from read.servers r where r.id = s.server::text)`,
    );
  for (const [table, column] of [
    ['person_records', 'id'],
    ['identities', 'person'],
  ])
    await client.query(
      `delete from app.${table} p where not exists (select from read.people r where r.id = p.${column}::text)`,
    );
};

const interruptRuns = async (decisions: Decisions, { pool, archive }: Restored): Promise<number> => {
  const { rows } = await pool.query<{ id: string; workspace: string }>(
    `select id, workspace from read.runs where state in ('requested', 'running') order by id`,
  );
  const reason = `the console was restored from the backup of ${archive.head.takenAt}; work on a server may have gone on`;
  for (const { id, workspace } of rows)
    await decisions.execute(
      runsDecider,
      new EndRun(id, { is: 'interrupted', reason }, ownMeta(ACTOR, workspace)),
    );
  return rows.length;
};

const endMaintenance = async (decisions: Decisions): Promise<void> => {
  const { state } = await decisions.load(maintenanceDecider, MAINTENANCE_ID, INSTALLATION);
  if (!state.current) return;
  const { maintenance } = state.current;
  const failed = {
    type: 'MaintenanceFailed',
    data: { maintenance, reason: 'the console was restored' },
  } as const;
  const end = new EndMaintenance(MAINTENANCE_ID, failed, ownMeta(ACTOR, INSTALLATION));
  await decisions.execute(maintenanceDecider, end);
};

/** An archive taken by the console contains the start of its own backup, but not the end, and what waited for it. */
const endBackup = async (decisions: Decisions): Promise<void> => {
  const book = new BackupBook(decisions);
  for (let { current } = await book.state(); current; { current } = await book.state()) {
    const at = new Date().toISOString();
    const data = { work: current.work, at, reason: 'the console was restored' };
    // Not recorded as a failure: the old console carried on with it.
    await book.end({ type: current.kind === 'drill' ? 'DrillCancelled' : 'BackupCancelled', data });
  }
};

/** The last step of a restore. After it, the console may be started. */
export const settle = async (restored: Restored): Promise<Settled> => {
  const { pool, store, archive, position, upTo } = restored;
  const decisions = new Decisions(store);
  const id = uuidv7();
  const runs = await interruptRuns(decisions, restored);
  await endMaintenance(decisions);
  await endBackup(decisions);
  const ended = await transaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await tidy(client, upTo);
    await client.query(
      'insert into app.installation (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [HELD, id],
    );
    return endSessions(client);
  });
  const { takenAt, version, id: archiveId } = archive.head;
  const facts = { archive: archiveId, takenAt, position, version, ...ended, runs };
  const data = { ...facts, ...(upTo && { upTo: inWords(upTo) }) };
  await decisions.execute(restorationsDecider, new RecordRestoration(id, data, ownMeta(ACTOR, INSTALLATION)));
  await pool.query(`drop table ${RESTORING}`);
  return { ...ended, runs };
};

/** @returns whether anything was held */
export const releaseScheduledWork = async (
  pool: Pool,
  store: EventStore,
  meta: CommandMeta = ownMeta(ACTOR, INSTALLATION),
): Promise<boolean> => {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where key = $1', [
    HELD,
  ]);
  const [held] = rows;
  if (!held) return false;
  await new Decisions(store).execute(
    restorationsDecider,
    new ReleaseScheduledWork(held.value, {}, { ...meta, workspace: INSTALLATION }),
  );
  await pool.query('delete from app.installation where key = $1', [HELD]);
  return true;
};

/** The restore whose scheduled work is still held. */
export const heldRestore = async (
  pool: Pool,
  store: EventStore,
): Promise<EventData<'ConsoleRestored'> | undefined> => {
  const { rows } = await pool.query<{ value: string }>('select value from app.installation where key = $1', [
    HELD,
  ]);
  const [held] = rows;
  if (!held) return undefined;
  const events = await store.readStream(streamName(restorationsDecider.category, held.value));
  const restored = events.find(({ type }) => type === 'ConsoleRestored');
  return restored?.data as EventData<'ConsoleRestored'> | undefined;
};
