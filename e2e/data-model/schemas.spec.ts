/** Schemas in the shape of well-known ones are imported whole, and made again as they were. */
import { randomUUID } from 'node:crypto';
import {
  driftOf,
  generated,
  hindering,
  importOf,
  migrationsOf,
  modelFrom,
  noModel,
  plan,
  problemsOf,
  repairOf,
  structureOf,
  type Model,
  type ModelVersion,
} from '@quarterdeck/data-model';
import { startEngines, type Database, type Engine } from './engines';
import { mysqlSchemas } from './schemas/mysql';
import { postgresqlSchemas } from './schemas/postgresql';
import { catalogueOf } from './schemas/reader';

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

const versionOne = (model: Model): ModelVersion => {
  const version = generated(undefined, model);
  if (typeof version === 'string') throw new Error(version);
  return version;
};

test.each(cases)('$name on $dialect', async ({ statements, dialect }) => {
  for (const engine of engines.filter((one) => one.dialect === dialect)) await roundTrip(engine, statements);
});

/** Imports a schema, and makes it again in an empty database. */
async function roundTrip(engine: Engine, statements: readonly string[]): Promise<void> {
  const { dialect } = engine;
  const [origin, empty] = [await engine.fresh(), await engine.fresh()];
  await carryOut(origin, statements);
  const read = await origin.read();
  const imported = modelFrom(read, randomUUID);
  expect(imported.notRepresentable.filter((one) => !one.endsWith('is left alone.'))).toEqual([]);
  expect(problemsOf(imported.model)).toEqual([]);
  expect(importOf(noModel, imported).left).toEqual(imported.notRepresentable);

  const { model, migrations } = versionOne(imported.model);
  const structure = structureOf(model);
  expect(hindering(driftOf(structure, read)).map(({ words }) => words)).toEqual([]);
  const { from, to } = repairOf(structure, read, [{ tables: [] }]);
  expect(migrationsOf(plan(from, to)).map(({ sql }) => sql[dialect])).toEqual([]);

  await carryOut(
    empty,
    migrations.map(({ sql }) => sql[dialect]),
  );
  expect(hindering(driftOf(structure, await empty.read())).map(({ words }) => words)).toEqual([]);
  expect(await catalogueOf(dialect, empty.query)).toEqual(await catalogueOf(dialect, origin.query));
  await origin.drop();
  await empty.drop();
}
