import { changesBetween } from './changes';
import { repairOf } from './drift';
import { destroys, lint, refusals, withRows } from './lint';
import { lintViews } from './lint-views';
import type { Attribute, Entity, Model } from './model';
import { plan } from './plan';
import { fileNameOf, migrationsOf } from './sql';
import { noStructure } from './structure';
import { structureOf } from './structure-of';

const attribute = (id: string, name: string, more: Partial<Attribute> = {}): Attribute => ({
  id,
  name,
  type: 'String',
  optional: true,
  ...more,
});
const entity = (
  id: string,
  name: string,
  attributes: Attribute[] = [],
  more: Partial<Entity> = {},
): Entity => ({ id, name, isUuid: false, attributes, ...more });
const model = (...entities: Entity[]): Model => ({ entities, optionSets: [] });
const sql = (from: Model, to: Model, dialect: 'mysql' | 'postgresql' = 'postgresql') =>
  migrationsOf(plan(structureOf(from), structureOf(to))).map((migration) => migration.sql[dialect]);
const nothing = model();

const roles = entity('r', 'Role', [attribute('r1', 'Name', { optional: false })]);
const people = (more: Partial<Attribute> = {}) =>
  entity('p', 'Person', [
    attribute('p1', 'Email'),
    attribute('p2', 'Role', { type: 'ForeignKey', foreignEntity: 'r', ...more }),
  ]);

it('writes one statement for each step, in both dialects, with the file names of the specification', () => {
  const migrations = migrationsOf(plan(noStructure, structureOf(model(people(), roles))));
  expect(migrations.map((migration) => fileNameOf(3, migration))).toEqual([
    'V3_1__create_table_person.sql',
    'V3_2__create_table_role.sql',
    'V3_3__add_index_person_role_id.sql',
    'V3_4__add_foreign_key_person_role_id.sql',
  ]);
  expect(migrations[0]?.sql.mysql).toBe(
    'create table `person` (\n  `id` bigint not null auto_increment primary key,\n' +
      '  `email` varchar(255) null,\n  `role_id` bigint null\n) engine=InnoDB default charset=utf8mb4;',
  );
  expect(migrations[3]?.sql.postgresql).toBe(
    'alter table "person" add constraint "fk_p2" foreign key ("role_id") references "role" ("id");',
  );
});

it('renames tables and columns instead of dropping them', () => {
  const before = model(entity('a', 'Customer', [attribute('a1', 'Mail')]));
  const after = model(entity('a', 'Client', [attribute('a1', 'Email')]));
  expect(sql(before, after)).toEqual([
    'alter table "customer" rename to "client";',
    'alter table "client" rename column "mail" to "email";',
  ]);
});

it('moves one aside when names go round in a circle', () => {
  const before = model(entity('a', 'A1'), entity('b', 'B1'), entity('c', 'C1'));
  const after = model(entity('a', 'B1'), entity('b', 'C1'), entity('c', 'A1'));
  expect(sql(before, after)).toEqual([
    'alter table "a1" rename to "quarterdeck_aside_0";',
    'alter table "c1" rename to "a1";',
    'alter table "b1" rename to "c1";',
    'alter table "quarterdeck_aside_0" rename to "b1";',
  ]);
});

it('drops first what takes a name, and last what only goes', () => {
  const before = model(entity('a', 'Customer', [attribute('a1', 'Mail'), attribute('a2', 'Fax')]));
  const after = model(entity('a', 'Customer', [attribute('a3', 'Mail', { type: 'Int' })]));
  expect(sql(before, after)).toEqual([
    'alter table "customer" drop column "mail";',
    'alter table "customer" add column "mail" integer null;',
    'alter table "customer" drop column "fax";',
  ]);
});

it('drops the keys of a circle before its tables', () => {
  const one = entity('a', 'A1', [attribute('a1', 'B1', { type: 'ForeignKey', foreignEntity: 'b' })]);
  const other = entity('b', 'B1', [attribute('b1', 'A1', { type: 'ForeignKey', foreignEntity: 'a' })]);
  expect(sql(model(one, other), nothing, 'mysql')).toEqual([
    'alter table `a1` drop foreign key `fk_a1`;',
    'alter table `b1` drop foreign key `fk_b1`;',
    'drop table `a1`;',
    'drop table `b1`;',
  ]);
});

it('gives a reference to another kind of key an index that does not clash with the old one', () => {
  const before = model(roles, people());
  const after = model({ ...roles, isUuid: true }, people({ name: 'Position' }));
  const statements = sql(before, after, 'mysql');
  expect(statements).toContain('alter table `person` add index `ix_p2_uuid` (`position_id`);');
  expect(statements.at(-1)).toBe('alter table `person` drop column `role_id`;');
});

it('makes nothing of another order, another option set, or the same model', () => {
  const before = model(people(), roles);
  const after = model({ ...people(), attributes: people().attributes.toReversed() }, roles);
  expect(sql(before, after)).toEqual([]);
  expect(changesBetween(before, before)).toEqual([]);
  expect(changesBetween(before, after).map(({ words }) => words)).toEqual([
    'Person: attributes in another order',
  ]);
});

it('says in words what differs', () => {
  const before = model(people(), roles);
  const after = model(
    entity('p', 'Human', [
      attribute('p1', 'Mail', { optional: false }),
      attribute('p2', 'Role', { type: 'Int' }),
      attribute('p3', 'Born', { type: 'LocalDate' }),
    ]),
  );
  expect(changesBetween(before, after).map(({ words }) => words)).toEqual([
    'Entity Role removed',
    'Entity Person is now called Human',
    'Human: the table person is now called human',
    'Human.Email: is now called Mail',
    'Human.Email: the column email is now called mail',
    'Human.Email: is now required',
    'Human.Role: the column role_id is now called role',
    'Human.Role: ForeignKey is now Int',
    'Human: attribute Born added (LocalDate)',
  ]);
});

describe('parts of an imported table', () => {
  const dialect = 'mysql';
  const imported = (id: string, name: string) =>
    attribute(id, name, { native: { dialect, as: name, of: 'String', type: 'varchar(9)' } });
  const parts = [
    { kind: 'key' as const, name: 'PRIMARY', text: '(`k`)', columns: ['k'] },
    { kind: 'index' as const, name: 'both', text: '(`a`,`b`)', columns: ['a', 'b'] },
    { kind: 'foreignKey' as const, name: 'its', text: '', columns: ['b'], target: 'o', targetColumns: ['k'] },
  ];
  const film = (...attributes: Attribute[]) =>
    entity('f', 'film', attributes, {
      table: 'film',
      native: { dialect, as: 'film', columns: ['k', 'a', 'b'], key: ['k'], parts },
    });
  const [k, a, b] = ['k', 'a', 'b'].map((one) => imported(one, one)) as [Attribute, Attribute, Attribute];

  it('go before a column that they name', () => {
    expect(sql(model(film(k, a, b)), model(film(k, a)), 'mysql')).toEqual([
      'alter table `film` drop foreign key `its`;',
      'alter table `film` drop index `both`;',
      'alter table `film` drop column `b`;',
    ]);
    expect(sql(model(film(k, a, b)), model(film(k, { ...a, name: 'c', column: 'c' }, b)), 'mysql')).toEqual([
      'alter table `film` rename column `a` to `c`;',
    ]);
  });

  it('go in a repair as well, if a version had them or their column goes, and others stay', () => {
    const [was, is] = [structureOf(model(film(k, a, b))), structureOf(model(film(k, a)))];
    const byHand = { kind: 'index' as const, name: 'hand', text: '(⟦b⟧)', columns: ['b'] };
    const stays = { kind: 'index' as const, name: 'stays', text: '(⟦a⟧)', columns: ['a'] };
    const tables = was.tables.map((table) => ({
      ...table,
      native: { ...table.native!, parts: [...table.native!.parts, byHand, stays] },
    }));
    const repair = repairOf(is, { tables }, [was]);
    expect(migrationsOf(plan(repair.from, repair.to)).map((one) => one.sql.mysql)).toEqual([
      'alter table `film` drop foreign key `its`;',
      'alter table `film` drop index `both`;',
      'alter table `film` drop index `hand`;',
      'alter table `film` drop column `b`;',
    ]);
  });
});

describe('lint', () => {
  const findings = (from: Model, to: Model) => lint(structureOf(from), structureOf(to));

  it('names every drop, and asks the database as it is before', () => {
    const found = findings(model(people(), roles), model(entity('p', 'Human', [attribute('p2', 'Role')])));
    expect(found.map(({ code, severity, where }) => `${severity} ${code} ${where}`)).toEqual([
      'destructive dropTable role',
      'breaking tableRenamed person',
      'destructive dropColumn person.email',
      'breaking columnRenamed person.role_id',
      'breaking dropForeignKey person.role_id',
    ]);
    expect(found[2]?.count?.postgresql).toBe(
      'select count(*) as rows_concerned from "person" where "email" is not null',
    );
  });

  it('asks for the name of the product if something is dropped or lost, and refuses only if rows are in the way', () => {
    const [drop] = findings(model(roles), nothing);
    expect(destroys([drop!])).toBe(true);
    expect(destroys(withRows([drop!], [3]))).toBe(true);
    expect(destroys(withRows([drop!], [0]))).toBe(true);
    const typed = (type: Attribute['type']) => model(entity('a', 'A1', [attribute('a1', 'Name', { type })]));
    const [loses] = findings(typed('LocalDateTime'), typed('LocalDate'));
    expect([1, 0].map((rows) => destroys(withRows([loses!], [rows])))).toEqual([true, false]);
    const [required] = findings(
      model(entity('a', 'A1', [attribute('a1', 'Name')])),
      model(entity('a', 'A1', [attribute('a1', 'Name', { optional: false })])),
    );
    expect(refusals(withRows([required!], [0]))).toEqual([]);
    expect(refusals(withRows([required!], [2]))).toHaveLength(1);
  });

  it.each([
    ['Int', 'Long', []],
    ['Int', 'String', []],
    ['LocalDateTime', 'LocalDate', ['typeLoses']],
    ['String', 'Int', ['typeLoses']],
    ['LocalDate', 'LocalTime', ['typeLoses']],
    ['Int', 'JSON', ['typeRefuses']],
    ['Long', 'Int', ['typeRefuses']],
  ] as const)('judges %s that becomes %s: %j', (was, is, codes) => {
    const typed = (type: Attribute['type']) => model(entity('a', 'A1', [attribute('a1', 'Name', { type })]));
    expect(findings(typed(was), typed(is)).map(({ code }) => code)).toEqual(codes);
  });

  it('asks for no value of a new column that fills itself', () => {
    const table = { id: 'a', name: 'a', key: 'Long', columns: [], extras: [] };
    const adding = (rest: string) => {
      const native = { dialect: 'mysql' as const, type: 'int', rest };
      const column = { id: 'c', name: 'c', type: 'Int', required: true, native };
      return lint({ tables: [table] }, { tables: [{ ...table, columns: [column] }] }).map(({ code }) => code);
    };
    expect(adding("DEFAULT '5'")).toEqual([]);
    expect(adding("COMMENT 'no DEFAULT'")).toEqual(['requiredColumnAdded']);
  });

  it('names the views that a rename may break, and none if nothing is renamed', () => {
    const [before, after] = ['Person', 'Human'].map((name) => model(entity('p', name, [])));
    const found = findings(before!, after!);
    expect(lintViews(found, { tables: [], views: ['v_person'] }, 'mysql')).toMatchObject([
      { code: 'viewsBreak', severity: 'breaking', where: 'v_person' },
    ]);
    expect(lintViews(found, { tables: [] }, 'mysql')).toEqual([]);
    expect(lintViews([], { tables: [], views: ['v_person'] }, 'mysql')).toEqual([]);
  });

  it('gives every finding a reason and a remedy, and finds nothing in additions', () => {
    expect(findings(nothing, model(people(), roles))).toEqual([]);
    for (const { reason, remedy } of findings(model(people(), roles), nothing)) {
      expect(reason).toMatch(/\.$/);
      expect(remedy).toMatch(/\.$/);
    }
  });
});

test('the name of a file neither leaves its folder nor its line, whatever a table is called', () => {
  const named = (label: string) => fileNameOf(1, { sequenceIndex: 2, label });
  expect(named('drop_table_a\nDROP TABLE b; -- ../../etc/passwd')).toBe(
    'V1_2__drop_table_a_DROP_TABLE_b__--_______etc_passwd.sql',
  );
  expect(named('create_table_größe-1')).toBe('V1_2__create_table_größe-1.sql');
});

it('writes the same statements for a model that was never imported as before there were imports', () => {
  const model: Model = {
    entities: [
      { id: 'a', name: 'Author', isUuid: true, attributes: [] },
      {
        id: 'b',
        name: 'Book',
        isUuid: false,
        attributes: [
          { id: 't', name: 'Title', type: 'String', optional: false },
          { id: 'w', name: 'Author', type: 'ForeignKey', optional: true, foreignEntity: 'a' },
        ],
      },
    ],
    optionSets: [],
  };
  const steps = plan(noStructure, structureOf(model));
  expect(JSON.stringify(steps)).toBe(
    '[{"kind":"createTable","table":"author","key":"Uuid","columns":[]},' +
      '{"kind":"createTable","table":"book","key":"Long","columns":[{"name":"title","type":"String","required":true},' +
      '{"name":"author_id","type":"Uuid","required":false}]},' +
      '{"kind":"addIndex","table":"book","column":"author_id","name":"ix_w_uuid"},' +
      '{"kind":"addForeignKey","table":"book","column":"author_id","name":"fk_w_uuid","target":"author"}]',
  );
  expect(migrationsOf(steps).map(({ sql }) => sql.mysql)).toEqual([
    'create table `author` (\n  `id` char(36) character set ascii not null default (uuid()) primary key\n) engine=InnoDB default charset=utf8mb4;',
    'create table `book` (\n  `id` bigint not null auto_increment primary key,\n  `title` varchar(255) not null,\n  `author_id` char(36) character set ascii null\n) engine=InnoDB default charset=utf8mb4;',
    'alter table `book` add index `ix_w_uuid` (`author_id`);',
    'alter table `book` add constraint `fk_w_uuid` foreign key (`author_id`) references `author` (`id`);',
  ]);
});
