/** A database on each engine, as a child process that serves an API talks to it. */
import { sessionOf, type Answered, type Bound } from '@quarterdeck/api';
import {
  migrationsOf,
  noStructure,
  plan,
  structureOf,
  type Dialect,
  type Model,
} from '@quarterdeck/data-model';
import { Client } from 'pg';
import { startTestMariadb } from '../../testing/mariadb';
import { startTestPostgres } from '../../testing/postgres';

export interface Ground {
  readonly name: string;
  readonly dialect: Dialect;
  ask(statement: Bound): Promise<Answered>;
  /** Replaces all tables by those of the model. */
  renew(model: Model): Promise<void>;
  stop(): Promise<void>;
}

export const startGrounds = (): Promise<Ground[]> => Promise.all([postgresql(), mariadb()]);

const created = (model: Model, dialect: Dialect): string[] =>
  migrationsOf(plan(noStructure, structureOf(model))).map(({ sql }) => sql[dialect]);

async function postgresql(): Promise<Ground> {
  const server = await startTestPostgres();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  for (const sql of sessionOf('postgresql')) await client.query(sql);
  return {
    name: 'PostgreSQL',
    dialect: 'postgresql',
    ask: async ({ text, values }) => {
      const { rows, rowCount } = await client.query<Record<string, unknown>>(text, values);
      return { rows, changed: rowCount ?? 0 };
    },
    renew: async (model) => {
      await client.query('drop schema if exists api cascade; create schema api; set search_path to api');
      for (const sql of created(model, 'postgresql')) await client.query(sql);
    },
    stop: async () => {
      await client.end();
      await server.stop();
    },
  };
}

async function mariadb(): Promise<Ground> {
  const server = await startTestMariadb();
  const { connection } = await server.newDatabase();
  for (const sql of sessionOf('mysql')) await connection.query(sql);
  let tables: string[] = [];
  return {
    name: 'MariaDB',
    dialect: 'mysql',
    ask: async ({ text, values }) => {
      const [answer] = await connection.execute(text, values as string[]);
      if (Array.isArray(answer)) return { rows: answer as Record<string, unknown>[], changed: 0 };
      return { rows: [], changed: answer.affectedRows, insertId: answer.insertId };
    },
    renew: async (model) => {
      await connection.query('set foreign_key_checks = 0');
      for (const name of tables) await connection.query(`drop table if exists \`${name}\``);
      await connection.query('set foreign_key_checks = 1');
      tables = structureOf(model).tables.map(({ name }) => name);
      for (const sql of created(model, 'mysql')) await connection.query(sql);
    },
    stop: async () => {
      await connection.end();
      await server.stop();
    },
  };
}
