/** Schemas in the shape of well-known ones are imported whole, and made again as they were. */
import { startEngines, type Database, type Engine } from './engines';
import { roundTrip } from './round-trip';
import { mysqlSchemas } from './schemas/mysql';
import { postgresqlSchemas } from './schemas/postgresql';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(async () => {
  for (const engine of engines) await engine.stop();
});

const cases = [
  ...Object.entries(mysqlSchemas).map(([name, statements]) => ({
    name,
    statements,
    dialect: 'mysql' as const,
  })),
  ...Object.entries(postgresqlSchemas).map(([name, statements]) => ({
    name,
    statements,
    dialect: 'postgresql' as const,
  })),
];

const carryOut = async (database: Database, statements: readonly string[]): Promise<void> => {
  for (const sql of statements)
    await database.query(sql).catch((error: unknown) => {
      throw new Error(`${String(error)}\nin ${sql}`);
    });
};

test.each(cases)('$name on $dialect', async ({ statements, dialect }) => {
  for (const engine of engines.filter((one) => one.dialect === dialect)) await comesBack(engine, statements);
});

async function comesBack(engine: Engine, statements: readonly string[]): Promise<void> {
  const [origin, empty] = [await engine.fresh(), await engine.fresh()];
  await carryOut(origin, statements);
  const { lost, statements: planned, differences } = await roundTrip(origin, empty);
  expect({ lost, planned, differences }).toEqual({ lost: [], planned: [], differences: [] });
  await origin.drop();
  await empty.drop();
}
