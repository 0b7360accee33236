/** A small product whose API is served: customers, orders and their lines, in a real database of each engine. */
import {
  migrationsOf,
  noStructure,
  plan,
  structureOf,
  type AttributeType,
  type Dialect,
  type Model,
} from '@quarterdeck/data-model';
import { Client } from 'pg';
import type { DatabaseAccess } from '../../apps/backend/src/served/child/connections';
import { startTestMariadb } from '../../testing/mariadb';
import { startTestPostgres } from '../../testing/postgres';

const attribute = (name: string, type: AttributeType, optional = false, foreignEntity?: string) => ({
  id: `attribute-${name}`,
  name,
  type,
  optional,
  ...(foreignEntity !== undefined && { foreignEntity }),
});

export const shop: Model = {
  optionSets: [],
  entities: [
    {
      id: 'customer',
      name: 'Customer',
      isUuid: false,
      attributes: [
        attribute('Name', 'String'),
        attribute('Email', 'String', true),
        attribute('Password', 'String', true),
      ],
    },
    {
      id: 'order',
      name: 'Order',
      isUuid: false,
      attributes: [
        attribute('Customer', 'ForeignKey', false, 'customer'),
        attribute('Status', 'Int'),
        attribute('Total', 'BigDecimal'),
        attribute('Placed at', 'LocalDateTime', true),
        attribute('Note', 'String', true),
      ],
    },
    {
      id: 'line',
      name: 'Order line',
      isUuid: false,
      attributes: [
        attribute('Order', 'ForeignKey', false, 'order'),
        attribute('SKU', 'String'),
        attribute('Quantity', 'Int'),
      ],
    },
  ],
};

const creation = (dialect: Dialect): string[] =>
  migrationsOf(plan(noStructure, structureOf(shop))).map(({ sql }) => sql[dialect]);
const UNIQUE = 'create unique index customer_email on customer (email)';

export interface ShopDatabase {
  readonly name: string;
  readonly access: DatabaseAccess;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** The server ends, and everybody's connections with it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const postgresShop = async (): Promise<ShopDatabase> => {
  const server = await startTestPostgres({ own: true });
  const { hostname: host, port, username: user, password, pathname } = new URL(server.url);
  const query = async (sql: string) => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  for (const sql of [...creation('postgresql'), UNIQUE]) await query(sql);
  return {
    name: 'PostgreSQL',
    access: {
      dialect: 'postgresql',
      host,
      port: Number(port),
      user,
      password: decodeURIComponent(password),
      database: pathname.slice(1),
      protection: 'none',
    },
    query,
    kill: () => server.restart('immediate'),
    start: async () => undefined,
    stop: () => server.stop(),
  };
};

export const mariadbShop = async (): Promise<ShopDatabase> => {
  const server = await startTestMariadb();
  const { name, connection } = await server.newDatabase();
  await connection.end();
  const query = async (sql: string) => {
    const { createConnection } = await import('mysql2/promise');
    const at = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root', database: name });
    try {
      const [rows] = await at.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    } finally {
      await at.end();
    }
  };
  for (const sql of [...creation('mysql'), UNIQUE]) await query(sql);
  return {
    name: 'MariaDB',
    access: {
      dialect: 'mysql',
      host: '127.0.0.1',
      port: server.port,
      user: 'root',
      password: '',
      database: name,
      protection: 'none',
    },
    query,
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
};
