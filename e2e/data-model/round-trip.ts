/** Imports a structure, plans version 1 on the database that it came from, and makes it again in an empty one. */
import { randomUUID } from 'node:crypto';
import {
  driftOf,
  generated,
  importOf,
  migrationsOf,
  modelFrom,
  noModel,
  plan,
  problemsOf,
  repairOf,
  structureOf,
} from '@quarterdeck/data-model';
import { attribute, entity } from '@quarterdeck/events';
import type { Database } from './engines';
import { catalogueOf } from './schemas/reader';

export interface RoundTrip {
  readonly tables: number;
  readonly columns: number;
  /** What an import leaves alone, such as views. */
  readonly leftAlone: readonly string[];
  /** What keeps the import from being whole. */
  readonly lost: readonly string[];
  /** What version 1 would do to the database that was imported. */
  readonly statements: readonly string[];
  /** How the database made by version 1 differs, by the reader of the product and by one that shares no code with it. */
  readonly differences: readonly string[];
}

export async function roundTrip(origin: Database, empty: Database): Promise<RoundTrip> {
  const { dialect } = origin;
  const read = await origin.read();
  const imported = modelFrom(read, randomUUID);
  const { entities } = imported.model;
  const lost = [
    ...importOf(noModel, imported).left.filter((one) => !isLeftAlone(one)),
    ...problemsOf(imported.model).map(({ message }) => message),
    ...entities.flatMap(({ native, attributes }) => [
      entity.fields.native.refuses?.(native ?? null, {}),
      ...attributes.map((one) => attribute.fields.native.refuses?.(one.native ?? null, {})),
    ]),
  ].filter((one) => one !== undefined);
  const found = {
    tables: entities.length,
    columns: entities.reduce((sum, { attributes }) => sum + attributes.length, 0),
    leftAlone: imported.notRepresentable.filter(isLeftAlone),
  };
  const free = found.leftAlone.flatMap(
    (one) => /^The (?:sequence|comment on index) (\S+) is left/.exec(one)?.[1] ?? [],
  );
  const version = generated(undefined, imported.model);
  if (typeof version === 'string')
    return { ...found, lost: [...lost, version], statements: [], differences: [] };

  const structure = structureOf(version.model);
  const { from, to } = repairOf(structure, read, [{ tables: [] }]);
  const statements = migrationsOf(plan(from, to)).map(({ sql }) => sql[dialect]);
  const differences = driftOf(structure, read).map(({ words }) => `origin: ${words}`);

  for (const { sql } of version.migrations) {
    const problem = await empty.query(sql[dialect]).then(
      () => undefined,
      (error: unknown) => `${String(error)}\nin ${sql[dialect]}`,
    );
    if (problem !== undefined) return { ...found, lost, statements, differences: [...differences, problem] };
  }
  const remade = await empty.read();
  differences.push(...driftOf(structure, remade).map(({ words }) => words));
  const isOurs = (line: string): boolean => !free.some((name) => line.includes(`"${name}"`));
  const [before, after] = [
    await catalogueOf(dialect, origin.query),
    await catalogueOf(dialect, empty.query),
  ].map((lines) => new Set(lines)) as [Set<string>, Set<string>];
  differences.push(
    ...[...before].filter((line) => !after.has(line) && isOurs(line)).map((line) => `- ${line}`),
    ...[...after].filter((line) => !before.has(line) && isOurs(line)).map((line) => `+ ${line}`),
  );
  return { ...found, lost, statements, differences };
}

const isLeftAlone = (sentence: string): boolean => sentence.endsWith('is left alone.');
