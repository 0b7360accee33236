/**
 * What people send costs time that grows with its size, and not with its square.
 *
 * covers: VAL-01
 */
import {
  adoptionOf,
  differenceOf,
  driftOf,
  generated,
  importOf,
  jsonSchemaOf,
  modelFrom,
  moduleOf,
  noModel,
  plan,
  problemsOf,
  repairOf,
  stoppedAfter,
  structureFrom,
  structureOf,
  structureText,
  typesOf,
  wayBetween,
  type Answers,
  type Dialect,
  type Model,
} from '@quarterdeck/data-model';
import { plainSecretIn } from '@quarterdeck/events';
import { alertSettings, readVariables, variableLines } from '@quarterdeck/events/inputs';
import { faultIn } from '@quarterdeck/projections';
import { modelFromRows } from '../../apps/backend/src/entities/model.queries';
import { Redactor } from '../../apps/backend/src/platform/run-output/run-redaction';
import { readPrivateKey } from '../../apps/backend/src/platform/ssh';
import { diffLines } from '../../apps/console/src/ui/line-diff/diff-lines';
import { nginxTest } from '../../apps/console/src/features/servers/results/nginx-results';
import { growthOf, mainThreadMs } from './growth';

const lines = (n: number, line: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => line(at)).join('');

const texts: [string, number, (n: number) => () => unknown][] = [
  ['an import of equal lines', 20_000, (n) => () => readVariables('a=\n'.repeat(n))],
  ['an import of blank lines', 50_000, (n) => () => readVariables('\n'.repeat(n))],
  [
    'an import of many variables',
    10_000,
    (n) => {
      const text = lines(n, (at) => `A${at}=1\n`);
      return () => readVariables(text);
    },
  ],
  [
    'an import of quoted values',
    10_000,
    (n) => {
      const text = lines(n, (at) => `A${at}="\\n" # x\n`);
      return () => readVariables(text);
    },
  ],
  [
    'an import of spaces',
    100_000,
    (n) => {
      const text = `A=${' #'.repeat(n)}`;
      return () => readVariables(text);
    },
  ],
  [
    'an import of JSON',
    10_000,
    (n) => {
      const text = JSON.stringify(Array.from({ length: n }, (_, at) => [`A${at}`, at]));
      return () => readVariables(text);
    },
  ],
  ['an import of spaces in JSON', 20_000, (n) => () => readVariables(JSON.stringify([`a${' '.repeat(n)}`]))],
  [
    'an export',
    10_000,
    (n) => {
      const all = Array.from({ length: n }, (_, at) => ({ key: `A${at}`, value: 'x y "z"' }));
      return () => variableLines(all);
    },
  ],
  // One line, because the number of lines is limited.
  ...['A="x"y', 'A=" ', '$(', '\u00a0', 'a ', '\\'].map((part): (typeof texts)[number] => [
    `an import of a line of ${JSON.stringify(part)}`,
    100_000,
    (n) => {
      const lines = ['', 'A=', 'A="'].map((before) => before + part.repeat(n));
      return () => lines.map((line) => readVariables(line));
    },
  ]),
  ...['"', '${', ' =', "it's ", '{.', '\\"', '"\n'].map((part): (typeof texts)[number] => [
    `an export of a value of ${JSON.stringify(part)}`,
    50_000,
    (n) => {
      const value = part.repeat(n);
      return () => variableLines([{ key: 'A', value }]);
    },
  ]),
  // They make a form begin again and again.
  ...[
    'a.',
    'a://b:c',
    '-----BEGIN A ',
    'a:',
    'a://',
    'a://b:',
    'host=;',
    'jdbc:',
    'jdbc:a;',
    'eyJ-',
    'eyJ.',
    'eyJa.eyJ',
    'sk-',
    'a://:',
    'a:1,b,',
    'pwd=a;',
    'host=a ',
    'Basic ',
    '"auth":"a',
  ].map((part): (typeof texts)[number] => [
    `a search for secrets in ${JSON.stringify(part)}`,
    20_000,
    (n) => {
      const text = part.repeat(n);
      return () => plainSecretIn(text);
    },
  ]),
  ['a reason in an output of line ends', 20_000, (n) => () => faultIn(`x${'\r'.repeat(n)}y`)],
  [
    'a private key of many beginnings',
    500,
    (n) => () => readPrivateKey('-----BEGIN PRIVATE KEY--------'.repeat(n)).catch(() => undefined),
  ],
  [
    'a difference of texts',
    4_000,
    (n) => {
      const [a, b] = ['a', 'b'].map((of) => Array.from({ length: n }, (_, at) => `${of} ${at}`));
      return () => diffLines(a ?? [], b ?? []);
    },
  ],
  [
    'messages of nginx',
    4_000,
    (n) => () => nginxTest(`nginx: [emerg] ${' in /'.repeat(n)}x\nnginx: configuration file /x test failed`),
  ],
  [
    'masks in an output',
    100_000,
    (n) => {
      const secrets = ['aaaab', 'abab'];
      return () => {
        const redactor = new Redactor(secrets);
        return redactor.push('aaab'.repeat(n)) + redactor.end();
      };
    },
  ],
];

test.each(texts)('%s costs time in proportion to its length', async (_name, n, prepare) => {
  expect(await growthOf(prepare, n)).toMatchObject({ grows: false });
});

test('a list of days with odd spaces is refused at once', () => {
  const before = mainThreadMs();
  expect(alertSettings.safeParse({ thresholds: `${'1  '.repeat(33)}x` }).success).toBe(false);
  expect(mainThreadMs() - before).toBeLessThan(1000);
});

/** A database of so many tables with ten columns each. Each table refers to the one before. */
const databaseOf = (tables: number): Answers => {
  const names = Array.from({ length: tables }, (_, at) => `table_${at}`);
  const of = <T>(each: (table: string, at: number) => readonly T[]): T[] => names.flatMap(each);
  return {
    columns: of((table_name) => [
      { table_name, column_name: 'id', type: 'bigint', nullable: false, counts: true, fallback: null },
      { table_name, column_name: 'before_id', type: 'bigint', nullable: true, counts: false, fallback: null },
      ...Array.from({ length: 8 }, (_, at) => ({
        table_name,
        column_name: `column_${at}`,
        type: 'integer',
        nullable: true,
        counts: false,
        fallback: at === 0 ? '7' : null,
      })),
    ]),
    indexes: of((table_name) => [
      {
        table_name,
        name: `${table_name}_pkey`,
        is_primary: true,
        is_unique: true,
        columns: 'id',
        plain: true,
      },
      {
        table_name,
        name: `ix_${table_name}`,
        is_primary: false,
        is_unique: false,
        columns: 'before_id',
        plain: true,
      },
    ]),
    foreignKeys: of((table_name, at) =>
      at === 0
        ? []
        : [
            {
              table_name,
              name: `fk_${table_name}`,
              columns: 'before_id',
              target: `table_${at - 1}`,
              target_columns: 'id',
              rule: 'on delete cascade',
            },
          ],
    ),
    checks: of((table_name) => [{ table_name, name: `c_${table_name}`, clause: 'CHECK (true)' }]),
    triggers: of((table_name) => [{ table_name, words: `trigger t_${table_name}` }]),
    views: names.map((name) => ({ name: `view_${name}` })),
    others: [],
  };
};

let ids = 0;
const newId = (): string => `id-${(ids += 1)}`;
const modelOf = (tables: number): Model =>
  modelFrom(structureFrom('postgresql', databaseOf(tables)), newId).model;
const renamed = (model: Model): Model => ({
  ...model,
  entities: model.entities.map((entity, at) => ({
    ...entity,
    name: `Table ${at + 1}`,
    table: `table_${at + 1}`,
    attributes: entity.attributes.map((attribute) => ({ ...attribute, optional: !attribute.optional })),
  })),
});

/** Rows of so many entities with ten attributes each, in an order of their own. */
const rowsOf = (n: number): Parameters<typeof modelFromRows>[0] => {
  const within = Array.from({ length: n }, (_, at) => {
    const ids = Array.from({ length: 10 }, (_attribute, number) => `e${at}-${number}`);
    return [`e${at}`, ids] as const;
  });
  return {
    entities: within.map(([id, ids]) => [id, id, '', false, null, ids.toReversed()]),
    attributes: within.map(([id, ids]) => [id, ids.map((one) => [one, one, '', 2, false, null, null, null])]),
    sets: [],
    values: [],
  };
};

const models: [string, (n: number) => () => unknown, n?: number][] = [
  [
    'reading a database',
    (n) => {
      const answers = databaseOf(n);
      return () => (['postgresql', 'mysql'] as Dialect[]).map((dialect) => structureFrom(dialect, answers));
    },
  ],
  [
    'deriving a model',
    (n) => {
      const structure = structureFrom('postgresql', databaseOf(n));
      return () => modelFrom(structure, newId);
    },
  ],
  [
    'importing a model',
    (n) => {
      const [model, imported] = [modelOf(n), modelFrom(structureFrom('postgresql', databaseOf(n)), newId)];
      return () => [importOf(model, imported), importOf(noModel, imported)];
    },
  ],
  [
    'adopting a database',
    (n) => {
      const [model, structure] = [modelOf(n), structureFrom('postgresql', databaseOf(n))];
      return () => adoptionOf(model, structure, newId, renamed(model));
    },
  ],
  [
    'the problems of a model',
    (n) => {
      const model = modelOf(n);
      return () => problemsOf(model);
    },
  ],
  [
    'the difference of two models',
    (n) => {
      const model = modelOf(n);
      const other = renamed(model);
      return () => differenceOf(model, other);
    },
  ],
  [
    'the drift of a database',
    (n) => {
      const model = modelOf(n);
      const structure = structureFrom('postgresql', databaseOf(n));
      return () => [driftOf(structureOf(renamed(model)), structure), structureText(structure)];
    },
  ],
  [
    'the repair of a database',
    (n) => {
      const model = modelOf(n);
      const structure = structureFrom('postgresql', databaseOf(n));
      return () => {
        const { from, to } = repairOf(structureOf(model), structure, [structureOf(renamed(model))]);
        return plan(from, to);
      };
    },
  ],
  [
    'the files of a version',
    (n) => {
      const model = modelOf(n);
      // Their types need names of their own.
      const entities = model.entities.map((entity) => ({ ...entity, name: 'É' }));
      const titled = { product: 'Shop', version: 1, model: { ...model, entities } };
      return () => [typesOf(titled), moduleOf(titled), jsonSchemaOf(titled)];
    },
    1000,
  ],
  [
    'gathering a model',
    (n) => {
      const rows = rowsOf(n);
      return () => modelFromRows(rows);
    },
    400,
  ],
  [
    'where an apply stopped',
    (n) => {
      const [structure, model] = [structureFrom('postgresql', databaseOf(n)), modelOf(n)];
      const first = generated(undefined, model);
      const second = typeof first === 'string' ? first : generated(first, renamed(model));
      if (typeof first === 'string' || typeof second === 'string') throw new Error('no versions');
      const way = wayBetween([first, second], 1, 2);
      const last = { sequence: way.migrations.length, state: 'begun' } as const;
      return () => stoppedAfter(way, last, structure);
    },
  ],
];

test.each(models)('%s costs time in proportion to the number of tables', async (_name, prepare, n = 100) => {
  expect(await growthOf(prepare, n)).toMatchObject({ grows: false });
});
