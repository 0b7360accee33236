/** The engines that the tests of data models run on, and how their servers compare names. */
import { hasMysql } from '../../testing/mariadb';
import { startEngines, type Engine } from './engines';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => Promise.all((engines ?? []).map((engine) => engine.stop())));

const known = hasMysql();

it(
  known
    ? 'runs on MariaDB, PostgreSQL and MySQL'
    : 'runs on MariaDB and PostgreSQL; MySQL is left out: it is not installed, and MYSQL_SERVER names no server',
  async () => {
    const versions: string[] = [];
    for (const engine of engines) {
      const database = await engine.fresh();
      const [row] = await database.query('select version() as version');
      versions.push(`${engine.name} ${String(row?.version)}`);
      await database.drop();
    }
    expect(versions).toEqual([
      expect.stringMatching(/^MariaDB .*MariaDB/),
      expect.stringMatching(/^PostgreSQL PostgreSQL/),
      ...(known ? [expect.stringMatching(/^MySQL \d+\.\d+\.\d+/)] : []),
    ]);
  },
);
