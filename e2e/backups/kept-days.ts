/** Databases of consoles of each day of the past, made by `scripts/keep-day.mjs`. */
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';

export interface KeptDay {
  statements: string[];
  /** Text of COPY by table. */
  rows: Record<string, string>;
  /** Answers by call. */
  lists: Record<string, unknown>;
}

const folder = path.join(__dirname, 'days');
/** `2026-11-21` for example, in order. */
export const days = fs
  .readdirSync(folder)
  .map((name) => name.replace('.json.br', ''))
  .sort();

export const keptOn = (day: string): KeptDay =>
  JSON.parse(
    brotliDecompressSync(fs.readFileSync(path.join(folder, `${day}.json.br`))).toString(),
  ) as KeptDay;

/** The log had no identity yet that could sign an archive. */
export const BEFORE_IDENTITIES = ['2026-11-21', '2026-11-22'];

/** Fills an empty database. */
export const fillAs = async ({ statements, rows }: KeptDay, databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    // Without triggers, of which some refuse to remove or to write events.
    await client.query(`set session_replication_role = replica`);
    await client.query(`truncate ${Object.keys(rows).join()}`);
    for (const [table, text] of Object.entries(rows))
      await pipeline([text], client.query(from(`copy ${table} from stdin`)));
  } finally {
    await client.end();
  }
};
