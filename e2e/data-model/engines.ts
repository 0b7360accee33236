/** A fresh database on each real engine. */
import type { Dialect, Structure } from '@quarterdeck/data-model';
import { Client } from 'pg';
import { acceptZeroDates } from '../../apps/backend/src/databases/target';
import { startTestMariadb, startTestMysql, type TestMariadb } from '../../testing/mariadb';
import { startTestPostgres } from '../../testing/postgres';
import { readStructure } from './read-structure';

export interface Engine {
  readonly name: 'MariaDB' | 'MySQL' | 'PostgreSQL';
  readonly dialect: Dialect;
  fresh(): Promise<Database>;
  stop(): Promise<void>;
}

export interface Database {
  readonly dialect: Dialect;
  query(sql: string): Promise<Record<string, unknown>[]>;
  read(): Promise<Structure>;
  drop(): Promise<void>;
  /** Program and options of the client that reads a dump into this database. */
  readonly client: readonly string[];
}

/** MySQL comes last, if it is installed. */
export const startEngines = async (): Promise<Engine[]> => {
  const [mariadb, postgres, mysql] = await Promise.all([startTestMariadb(), postgresql(), startTestMysql()]);
  return [engineOf('MariaDB', mariadb), postgres, ...(mysql ? [engineOf('MySQL', mysql)] : [])];
};

export function engineOf(name: 'MariaDB' | 'MySQL', server: TestMariadb): Engine {
  return {
    name,
    dialect: 'mysql',
    fresh: async () => {
      const { name, connection } = await server.newDatabase();
      const query = async (sql: string) => {
        const [rows] = await connection.query(sql);
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      };
      await acceptZeroDates({ query });
      const drop = async () => {
        await connection.query(`drop database ${name}`);
        await connection.end();
      };
      return {
        dialect: 'mysql',
        query,
        read: () => readStructure({ dialect: 'mysql', query }),
        drop,
        client: [
          'mariadb',
          '--no-defaults',
          '--host=127.0.0.1',
          `--port=${server.port}`,
          '--user=root',
          '--skip-ssl',
          // Dumps of applications have such defaults.
          `--init-command=set session sql_mode = ''`,
          '--force',
          name,
        ],
      };
    },
    stop: () => server.stop(),
  };
}

async function postgresql(): Promise<Engine> {
  const server = await startTestPostgres();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  let schemas = 0;
  return {
    name: 'PostgreSQL',
    dialect: 'postgresql',
    fresh: async () => {
      const schema = `fresh_${++schemas}`;
      const query = async (sql: string) => {
        await client.query(`set search_path to ${schema}, public`);
        return (await client.query<Record<string, unknown>>(sql)).rows;
      };
      await client.query(`create schema ${schema}`);
      const drop = async () => void (await client.query(`drop schema ${schema} cascade`));
      return {
        dialect: 'postgresql',
        query,
        read: () => readStructure({ dialect: 'postgresql', query }),
        drop,
        client: [
          'psql',
          '--no-psqlrc',
          '--quiet',
          `--dbname=${server.url}?options=-csearch_path%3D${schema},public`,
        ],
      };
    },
    stop: async () => {
      await client.end();
      await server.stop();
    },
  };
}
