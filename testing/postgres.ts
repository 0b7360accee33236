/**
 * A real Postgres for tests. All spec files of a jest run share one server, started by the first file that needs it;
 * each file has its own database. It runs without fsync to be fast, so it survives its own crash, not the machine's.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import {
  startPostgres,
  stopPostgres,
  type PostgresServer,
} from '../apps/backend/src/platform/database/postgres-server';
import { dataDirWithCluster } from './cluster-template';

export interface TestPostgres {
  /** URL of a new, empty database. */
  url: string;
  newDatabase(): Promise<string>;
  /** Only for a server started with `{ own: true }`, because others use the shared one. */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** Set by jest's global set-up (scripts/jest/postgres-folder.mjs); without it every caller gets its own server. */
const SHARED_FOLDER = 'QUARTERDECK_TEST_POSTGRES';

const QUICK = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
};

export async function startTestPostgres({ own = false } = {}): Promise<TestPostgres> {
  const shared = own ? undefined : process.env[SHARED_FOLDER];
  const dir = shared ?? (await makeFolder());
  let server: PostgresServer = await startPostgres({ dir, settings: QUICK, skipSync: true });
  const names: string[] = [];
  const newDatabase = async () => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await administer(server.url, `create database ${name} strategy file_copy`);
    names.push(name);
    return server.url.replace(/\/postgres$/, `/${name}`);
  };
  return {
    url: await newDatabase(),
    newDatabase,
    restart: async (mode = 'fast') => {
      if (shared !== undefined) throw new Error('restart() needs startTestPostgres({ own: true })');
      const port = Number(new URL(server.url).port);
      await stopPostgres(dir, mode);
      server = await startPostgres({ dir, port, settings: QUICK, skipSync: true });
    },
    stop: async () => {
      // A connection that is still closing would report the server's end as an error after its pool is gone.
      await untilLeft(server.url, names).catch(() => undefined);
      if (shared === undefined) {
        await stopPostgres(dir, 'immediate');
        removeFolder(dir);
      } else {
        for (const name of names)
          await administer(server.url, `drop database if exists ${name} with (force)`);
      }
    },
  };
}

const PATIENCE_MS = 2000;

/** Waits until these databases have no connections, but not for connections that are never closed. */
async function untilLeft(url: string, names: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
  await client.connect();
  try {
    for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await pause(5)) {
      const { rows } = await client.query('select from pg_stat_activity where datname = any($1) limit 1', [
        names,
      ]);
      if (rows.length === 0) return;
    }
  } finally {
    await client.end();
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function makeFolder(): Promise<string> {
  const dir = await dataDirWithCluster('quarterdeck-postgres-');
  fs.chmodSync(dir, 0o755);
  return dir;
}

function removeFolder(dir: string): void {
  fs.rmSync(dir, { recursive: true, force: true });
}
