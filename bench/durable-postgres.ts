import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgres, stopPostgres } from '../apps/backend/src/platform/database/postgres-server';

/** The embedded server exactly as `npm start` runs it, with every commit on disk, in a temporary folder. */
export async function withDurablePostgres(work: (url: string) => Promise<void>): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bench-'));
  fs.chmodSync(dir, 0o755);
  try {
    const { url } = await startPostgres({ dir });
    await refuseFakeDurability(url);
    await work(url);
  } finally {
    await stopPostgres(dir, 'immediate');
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** @returns the address of a new database on the same server */
export const newDatabase = async (url: string, name: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/\/[^/]*$/, `/${name}`);
};

async function refuseFakeDurability(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
      if (rows[0]?.[setting] !== 'on')
        throw new Error(`${setting} is not on: the figures would mean nothing`);
    }
  } finally {
    await client.end();
  }
}
