import { structureFrom } from './introspection';

const table_name = 'author';
const index = { table_name, is_primary: '0', is_unique: '0', plain: '1' };

it('understands the answers of MySQL 8, whose comparisons are big numbers and come as text', () => {
  const answers = {
    columns: [
      { table_name, column_name: 'id', type: 'bigint', nullable: '0', counts: '1', fallback: null },
      { table_name, column_name: 'nick', type: 'varchar(255)', nullable: '0', counts: '0', fallback: 'Ada' },
      { table_name, column_name: 'born', type: 'date', nullable: '1', counts: '0', fallback: 'NULL' },
    ],
    indexes: [
      { ...index, name: 'PRIMARY', columns: 'id', is_primary: '1', is_unique: '1' },
      { ...index, name: 'by_nick', columns: 'nick' },
      { ...index, name: 'one_born', columns: 'born', is_unique: '1' },
      // An index over an expression has no columns.
      { ...index, name: 'lower_nick', columns: null },
    ],
    foreignKeys: [],
    checks: [],
    triggers: [{ table_name, words: 'trigger watched' }],
    views: [{ name: 'nicks' }],
    others: [],
  };
  const structure = structureFrom('mysql', answers);
  expect(structure.views).toEqual(['nicks']);
  expect(structure.tables).toEqual([
    {
      id: table_name,
      name: table_name,
      key: 'Long',
      columns: [
        {
          id: 'nick',
          name: 'nick',
          type: 'String',
          required: true,
          index: 'by_nick',
          extras: ['default Ada'],
        },
        { id: 'born', name: 'born', type: 'LocalDate', required: false },
      ],
      extras: ['unique index one_born (born)', 'index lower_nick (an expression)', 'trigger watched'],
    },
  ]);
});

it('takes the index of the console for that of a column, with its foreign key and without it', () => {
  const ours = 'ix_0190a00b000070008000000000000000';
  const answers = {
    columns: [
      { table_name, column_name: 'id', type: 'bigint', nullable: '0', counts: '1', fallback: null },
      { table_name, column_name: 'boss_id', type: 'bigint', nullable: '1', counts: '0', fallback: null },
    ],
    indexes: ['by_hand', ours].map((name) => ({ ...index, name, columns: 'boss_id' })),
    checks: [],
    triggers: [],
    views: [],
    others: [],
  };
  const key = {
    table_name,
    name: ours.replace('ix_', 'fk_'),
    columns: 'boss_id',
    target: table_name,
    target_columns: 'id',
    rule: null,
  };
  for (const foreignKeys of [[key], []])
    expect(structureFrom('mysql', { ...answers, foreignKeys }).tables[0]?.columns.at(-1)).toMatchObject({
      name: 'boss_id',
      index: ours,
    });
});
