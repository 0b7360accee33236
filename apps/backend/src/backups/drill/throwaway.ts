/**
 * The database of a drill, on the same server as the live one. Its name is derived from the live database's name, so
 * the database of a killed drill is found again.
 */
import { statfs } from 'node:fs/promises';
import { Client } from 'pg';

/** The drill cannot run. The message says how to change that. */
export class CannotDrill extends Error {
  override name = 'CannotDrill';
}

const FORBIDDEN = '42501';
/** The data take about the same space again, and Postgres also writes them to its write-ahead log. */
const ROOM_FACTOR = 2;
const SPARE_BYTES = 100_000_000;

/** Statements about databases have no timeout and run outside a transaction. */
const administer = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url, application_name: 'quarterdeck drill' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

interface Live {
  name: string;
  role: string;
  bytes: string;
  encoding: string;
  collate: string;
  ctype: string;
}

const liveOf = async (client: Client): Promise<Live> => {
  const { rows } = await client.query<Live>(
    `select 'quarterdeck_drill_' || oid as name, current_user as role, pg_database_size(oid) as bytes,
       pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype
     from pg_database where datname = current_database()`,
  );
  return rows[0]!;
};

const drop = async (client: Client, name: string): Promise<void> => {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) return;
  await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
};

/** Removes the database of a killed drill. */
export const removeThrowaway = (url: string): Promise<void> =>
  administer(url, async (client) => drop(client, (await liveOf(client)).name));

/** @throws CannotDrill if the disk of the embedded Postgres has too little space: a full disk stops the console */
const refuseWithoutRoom = async ({ bytes }: Live, folder: string | undefined): Promise<void> => {
  if (folder === undefined) return;
  const { bavail, bsize } = await statfs(folder);
  const [free, needed] = [bavail * bsize, Number(bytes) * ROOM_FACTOR + SPARE_BYTES];
  if (free >= needed) return;
  const mb = (count: number): string => `${Math.ceil(count / 1_000_000)} MB`;
  throw new CannotDrill(`a drill needs ${mb(needed)} at ${folder}, and ${mb(free)} are free`);
};

interface Around {
  /** Address of the live database. */
  url: string;
  /** Data folder of an embedded Postgres. */
  folder: string | undefined;
}

/**
 * @param work gets the address of an empty database, which is removed when the work ends
 * @throws CannotDrill if the database cannot be created
 */
export const inThrowaway = async <T>(
  { url, folder }: Around,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const name = await administer(url, async (client) => {
    const live = await liveOf(client);
    const { role, encoding, collate, ctype } = live;
    await drop(client, live.name);
    await refuseWithoutRoom(live, folder);
    const like = [encoding, collate, ctype].map((text) => client.escapeLiteral(text));
    await client
      .query(
        `create database ${client.escapeIdentifier(live.name)} template template0
         encoding ${like[0]} lc_collate ${like[1]} lc_ctype ${like[2]}`,
      )
      .catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== FORBIDDEN) throw error;
        throw new CannotDrill(
          `role ${role} may not make the database that a drill restores into: type ALTER ROLE ${client.escapeIdentifier(role)} CREATEDB in that Postgres`,
        );
      });
    return live.name;
  });
  const at = new URL(url);
  at.pathname = `/${name}`;
  try {
    return await work(at.href);
  } finally {
    await removeThrowaway(url);
  }
};
