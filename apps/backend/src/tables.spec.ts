import { Pool } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { composed, migrate } from './platform/database';
import { tables } from './tables';

/** As installations have recorded them. Later steps come at the end. */
const RELEASED = [
  '001-installation',
  '001-people-and-sessions',
  '002-vault',
  '003-claims-and-receipts',
  '004-runs',
  '005-run-steps',
  '006-health',
  '007-output-storage',
  '008-ssl-checks',
  '009-invitations',
  '009-processes',
  '010-sign-in',
  '011-token-checks',
  '012-shown-names',
  '013-failed-attempts',
  '013-lease-sessions',
  '014-logins',
  '014-shredded-secrets',
  '015-disk-used',
  '015-remade',
  '016-backups',
  '017-notice-memory',
  '018-app-tokens',
  '019-trimmed-claims',
];

describe('the tables of schema app', () => {
  let postgres: TestPostgres;
  let pool: Pool;

  beforeEach(async () => {
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url, max: 1 });
  });
  afterEach(async () => {
    await pool.end();
    await postgres.stop();
  });

  const tablesThere = async () =>
    (
      await pool.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'app' order by 1`,
      )
    ).rows.map(({ name }) => name);

  it('are made by steps with the names that installations remember, in their order', () => {
    expect(tables.steps.map(({ name }) => name).slice(0, RELEASED.length)).toEqual(RELEASED);
  });

  it('are not made again in an installation that has recorded the steps', async () => {
    await pool.query(
      'create schema app; create table app.migrations (name text primary key, at timestamptz default now())',
    );
    await pool.query('insert into app.migrations (name) select unnest($1::text[])', [
      tables.steps.map(({ name }) => name),
    ]);
    await migrate(pool, tables.steps);
    expect(await tablesThere()).toEqual(['migrations']);
  });

  it('of one step are made together or not at all, also if they have several owners', async () => {
    const kept = { kept: 'tables' } as const;
    const one = {
      steps: [{ name: '002-b', sql: 'create table app.one (id text)' }],
      rows: { 'app.one': kept },
    };
    const other = {
      steps: [
        { name: '002-b', sql: 'create table app.other (id nothing)' },
        { name: '001-a', sql: 'create table app.first (id text)' },
      ],
      rows: { 'app.other': kept, 'app.first': kept },
    };
    await expect(migrate(pool, composed([one, other]).steps)).rejects.toThrow(
      'type "nothing" does not exist',
    );
    expect(await tablesThere()).toEqual(['first', 'migrations']);
  });

  it('are refused at the start when nobody says whether a backup keeps one', () => {
    const silent = {
      steps: [{ name: '001-a', sql: 'create unlogged table app.silent (id text)' }],
      rows: {},
    };
    expect(() => composed([silent])).toThrow('table app.silent: say in `rows` whether a backup keeps it');
  });

  it('give a name with spaces around it the claim of the name without, unless that is taken', async () => {
    const at = tables.steps.findIndex(({ name }) => name === '019-trimmed-claims');
    await migrate(pool, tables.steps.slice(0, at));
    const parent = '0190a000-0000-7000-8000-000000000001';
    await pool.query(
      `insert into app.claims (scope, key, holder, claimed_at)
       select 'product-name', key, key, '2026-01-01'::timestamptz + place * interval '1 day'
       from unnest($1::text[]) with ordinality as held (key, place)`,
      [['web 1 ', ' web 1', ' shop', 'shop', 'a  b', `${parent}  order line `, `${parent} tag`]],
    );
    await migrate(pool, tables.steps);
    const { rows } = await pool.query('select key, holder from app.claims order by key');
    expect(rows.map(({ key, holder }) => [key, holder])).toEqual([
      [`${parent} order line`, `${parent}  order line `],
      [`${parent} tag`, `${parent} tag`],
      ['a  b', 'a  b'],
      ['shop', 'shop'],
      ['web 1', 'web 1 '],
    ]);
  });

  it('can all be made in an empty database', async () => {
    await migrate(pool, tables.steps);
    const { rows } = await pool.query('select name from app.migrations order by name');
    expect(rows).toEqual(tables.steps.map(({ name }) => ({ name })));
  });
});
