import { MAX_COLUMNS, type Attribute, type DatabaseAnswers, type Model } from '@quarterdeck/data-model';
import { importOfStructure } from './model.jobs';

/** A model whose tables have this many columns with their keys. */
const modelOf = (columns: number): Model => ({
  optionSets: [],
  entities: Array.from({ length: columns / 1000 }, (_, at) => ({
    id: `e${at}`,
    name: `Entity ${at}`,
    isUuid: false,
    attributes: Array.from({ length: 999 }, (_none, number): Attribute => ({
      id: `a${at} ${number}`,
      name: `Attribute ${number}`,
      type: 'Int',
      optional: true,
    })),
  })),
});

/** A database with one table. */
const found = (columns: number): DatabaseAnswers => {
  const table = 'found';
  const names = Array.from({ length: columns - 1 }, (_, at) => `c${at}`);
  const key = { column_name: 'id', type: 'bigint', nullable: 0, counts: 1 };
  const others = names.map((name) => ({ column_name: name, type: 'int', nullable: 1, counts: 0 }));
  const none = { foreignKeys: [], checks: [], triggers: [], views: [], others: [] };
  return {
    dialect: 'mysql',
    answers: {
      columns: [key, ...others].map((one) => ({ ...one, table_name: table, fallback: null })),
      indexes: [{ table_name: table, name: 'PRIMARY', is_primary: 1, is_unique: 1, columns: 'id', plain: 1 }],
      ...none,
    },
    statements: new Map([
      [
        table,
        [
          `CREATE TABLE \`${table}\` (\n  \`id\` bigint NOT NULL AUTO_INCREMENT`,
          ...names.map((name) => `  \`${name}\` int DEFAULT NULL`),
          '  PRIMARY KEY (`id`)\n) ENGINE=InnoDB',
        ].join(',\n'),
      ],
    ]),
  };
};

it('says that a model cannot take tables that would make it too large', async () => {
  const asked = { model: modelOf(MAX_COLUMNS - 1000), answers: found(1000) };
  expect((await importOfStructure.work(asked)).problem).toBeUndefined();
  const more = await importOfStructure.work({ ...asked, answers: found(1001) });
  expect(more.problem).toBe(
    'the tables have 30001 columns with their keys, and 30000 are possible: use several products',
  );
});
