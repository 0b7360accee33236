// covers: VER-02, VER-03
/** What somebody has added to a database by hand, and rows that a new version needs values for, on each real engine. */
import {
  driftOf,
  migrationsOf,
  noModel,
  noStructure,
  plan,
  structureOf,
  type Attribute,
  type GivenValue,
  type Model,
  type ModelVersion,
} from '@quarterdeck/data-model';
import { planOfApply } from '../../apps/backend/src/versions/apply.jobs';
import { openTarget, type Target, type TargetAddress } from '../../apps/backend/src/databases/target';
import { readAnswers } from '../../apps/backend/src/databases/read-answers';
import { startServers, type Server } from './addresses';
import { applyVersion } from './applied';
import { DATABASE } from './plans';
import { readStructure } from './read-structure';

let servers: Server[];
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

const thing = (attributes: readonly Attribute[]): Model => ({
  entities: [
    { id: 't', name: 'Thing', isUuid: false, attributes },
    { id: 'o', name: 'Other', isUuid: false, attributes: [] },
    { id: 'u', name: 'Uuu', isUuid: true, attributes: [] },
  ],
  optionSets: [],
});

const text = (version: ModelVersion): string => JSON.stringify(version);

/** Versions 1 and 2 of the models. */
const versionsOf = (models: readonly Model[]): string[] =>
  models.map((model, at) =>
    text({
      sequenceIndex: at + 1,
      model,
      migrations: migrationsOf(plan(structureOf(models[at - 1] ?? noModel), structureOf(model))),
    }),
  );

interface Database {
  readonly server: Server;
  readonly address: TargetAddress;
  readonly target: Target;
  /** From version 1 to 2, as a run does it that has only what its plan stored. */
  apply(values?: readonly GivenValue[]): Promise<void>;
}

/** On each engine, in a database with version 1. */
const onEach = async (models: readonly [Model, Model], test: (database: Database) => Promise<void>) => {
  const versions = versionsOf(models);
  for (const server of servers) {
    const address = await server.fresh();
    const target = await openTarget(address);
    for (const { sql } of migrationsOf(plan(noStructure, structureOf(models[0]))))
      await target.query(sql[target.dialect]);
    const apply = async (values: readonly GivenValue[] = []) => {
      await applyVersion({ address, target }, { versions, from: 1, version: 2, values });
    };
    await test({ server, address, target, apply });
    await target.end();
  }
};

const name: Attribute = { id: 'n', name: 'Name', type: 'String', optional: false };

/** Parts of a definition, each as somebody adds it and as `show create table` repeats it. */
const definitions: readonly [clause: string, type: Attribute['type'], shown: RegExp][] = [
  [
    `varchar(255) character set latin1 not null default 'anon' comment 'shown to users'`,
    'String',
    /`name` varchar\(255\) (CHARACTER SET latin1|.*latin1).* DEFAULT 'anon' COMMENT 'shown to users'/,
  ],
  [`varchar(255) not null default 'it''s \\\\ "x"'`, 'String', /DEFAULT 'it''s \\\\ "x"'/],
  ['varchar(255) collate utf8mb4_bin not null', 'String', /COLLATE utf8mb4_bin/],
  [
    `varchar(255) not null default (concat('a', 'b'))`,
    'String',
    /DEFAULT \(?concat\((_utf8mb4)?'a',(_utf8mb4)?'b'\)\)?/,
  ],
  [`varchar(255) not null default ''`, 'String', /DEFAULT ''/],
  ['int not null default 5', 'Int', /DEFAULT '?5'?/],
  ['decimal(38,10) not null default -1.5', 'BigDecimal', /DEFAULT '?-1.5/],
  ['tinyint(1) not null default 1', 'Boolean', /DEFAULT '?1'?/],
  [`date not null default '2020-02-29'`, 'LocalDate', /DEFAULT '2020-02-29'/],
  [
    'datetime(6) not null default current_timestamp(6) on update current_timestamp(6)',
    'LocalDateTime',
    /DEFAULT current_timestamp\(6\) ON UPDATE current_timestamp\(6\)/i,
  ],
  [`json not null default ('{}')`, 'JSON', /DEFAULT \(?(_utf8mb4)?'\{\}'\)?/],
  [`json not null comment 'it''s'`, 'JSON', /COMMENT 'it''s'/],
];

test.each(definitions)(
  'MySQL and MariaDB keep %s when a column becomes optional',
  async (clause, type, shown) => {
    const models = [thing([{ ...name, type }]), thing([{ ...name, type, optional: true }])] as const;
    await onEach(models, async ({ target, apply }) => {
      if (target.dialect !== 'mysql') return;
      await target.query(`alter table thing modify name ${clause}`);
      await apply();
      const [row] = await target.query('show create table thing');
      const line =
        String(row?.['Create Table'])
          .split('\n')
          .find((one) => one.includes('`name`')) ?? '';
      expect(line).toMatch(shown);
      expect(line).not.toContain('NOT NULL');
    });
  },
);

test('MariaDB keeps the check of a column, and its invisibility', async () => {
  const models = [thing([name]), thing([{ ...name, optional: true }])] as const;
  await onEach(models, async ({ server, target, apply }) => {
    if (server.name !== 'MariaDB') return;
    await target.query(
      `alter table thing modify name varchar(255) invisible not null default 'b' check (name <> 'a')`,
    );
    await apply();
    const [row] = await target.query('show create table thing');
    expect(String(row?.['Create Table'])).toMatch(/`name` .*INVISIBLE DEFAULT 'b' CHECK \(`name` <> 'a'\)/);
  });
});

test('PostgreSQL keeps default, comment and collation by itself', async () => {
  const models = [thing([name]), thing([{ ...name, optional: true }])] as const;
  await onEach(models, async ({ target, apply }) => {
    if (target.dialect !== 'postgresql') return;
    await target.query(
      `alter table thing alter name type varchar(255) collate "C", alter name set default 'anon'`,
    );
    await target.query(`comment on column thing.name is 'shown to users'`);
    await apply();
    const [row] = await target.query(
      `select pg_get_expr(d.adbin, d.adrelid) as fallback, col_description(a.attrelid, a.attnum) as said, c.collname
       from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       join pg_collation c on c.oid = a.attcollation where a.attrelid = 'thing'::regclass and a.attname = 'name'`,
    );
    expect(row).toEqual({ fallback: `'anon'::character varying`, said: 'shown to users', collname: 'C' });
  });
});

const values: readonly [type: Attribute['type'], value: string, read: string][] = [
  ['String', `O'Neill \\ "x"`, `O'Neill \\ "x"`],
  ['String', '', ''],
  ['Int', '-7', '-7'],
  ['Long', '9007199254740993', '9007199254740993'],
  ['Boolean', 'true', '1'],
  ['LocalDate', '2024-02-29', '2024-02-29'],
  ['LocalDateTime', '2024-02-29 10:11:12.5', '2024-02-29 10:11:12.5'],
  ['LocalTime', '10:11:12.5', '10:11:12.5'],
  ['BigDecimal', '12345.6789', '12345.6789'],
  ['Double', '1.5e3', '1500'],
  ['JSON', `{"a":"it's \\\\ x"}`, `{"a":"it's \\\\ x"}`],
];

test.each(values)(
  'fills a new required %s with %j in existing rows, and only there',
  async (type, value, read) => {
    const added: Attribute = { id: 'x', name: 'Extra', type, optional: false };
    const optional = { ...name, optional: true };
    await onEach([thing([optional]), thing([optional, added])], async ({ target, apply }) => {
      await target.query(`insert into thing (name) values ('one'), ('two')`);
      await expect(apply()).rejects.toThrow(
        'The new column extra of thing is required, but existing rows have no value for it. Rows: 2.',
      );
      await apply([{ where: 'thing.extra', value }]);
      const cast = target.dialect === 'mysql' ? 'cast(extra as char)' : `replace(extra::text, 'true', '1')`;
      const rows = await target.query(`select ${cast} as v from thing order by id`);
      const plain = (one: unknown) =>
        type === 'JSON' ? JSON.stringify(JSON.parse(String(one))) : String(one).replace(/(\.\d*?)0+$/, '$1');
      expect(rows.map(({ v }) => plain(v))).toEqual([plain(read), plain(read)]);
      // New rows have to bring their own.
      await expect(target.query(`insert into thing (name) values ('three')`)).rejects.toThrow(/extra/);
      expect(driftOf(structureOf(thing([optional, added])), await readStructure(target))).toEqual([]);
    });
  },
);

test('writes no empty value into rows that were added after the check', async () => {
  const added: Attribute = { id: 'x', name: 'Extra', type: 'String', optional: false };
  const optional = { ...name, optional: true };
  const models = [thing([optional]), thing([optional, added])] as const;
  await onEach(models, async ({ address, target }) => {
    const late = applyVersion(
      { address, target },
      {
        versions: versionsOf(models),
        from: 1,
        version: 2,
        beforeFirst: () => target.query(`insert into thing (name) values ('late')`),
      },
    );
    await expect(late).rejects.toThrow(
      target.dialect === 'mysql'
        ? 'thing has rows now, and they have no value for extra'
        : /"extra".* contains null values/,
    );
    const [row] = await target.query('select * from thing');
    expect(Object.keys(row ?? {})).not.toContain('extra');
  });
});

test.each([
  ['o', 'other', '1', '2'],
  ['u', 'uuu', '01930000-0000-7000-8000-000000000001', '01930000-0000-7000-8000-000000000002'],
])(
  'fills a new required foreign key to %s only with a key that exists',
  async (target, table, key, missing) => {
    const added: Attribute = {
      id: 'x',
      name: 'Extra',
      type: 'ForeignKey',
      optional: false,
      foreignEntity: target,
    };
    await onEach([thing([name]), thing([name, added])], async ({ target: database, apply }) => {
      await database.query(`insert into thing (name) values ('one')`);
      await database.query(`insert into ${table} (id) values ('${key}')`);
      const versions = versionsOf([thing([name]), thing([name, added])]);
      const countOf = async (value: string) => {
        const { judged } = await planOfApply.work({
          versions,
          database: DATABASE,
          from: 1,
          version: 2,
          answers: await readAnswers(database),
          newest: undefined,
          stopped: undefined,
          values: [{ where: 'thing.extra_id', value }],
          isForRun: false,
        });
        return judged.pointers[0]?.count ?? '';
      };
      for (const [value, rows] of [
        [key, 1],
        [missing, 0],
      ] as const) {
        const [row] = await database.query(await countOf(value));
        expect(Number(row?.rows_concerned)).toBe(rows);
      }
      await apply([{ where: 'thing.extra_id', value: key }]);
      expect(await database.query('select extra_id from thing')).toEqual([
        { extra_id: target === 'o' ? expect.anything() : key },
      ]);
    });
  },
);

test.each([
  'modify id char(36) character set latin1 not null default (uuid())',
  'modify id char(36) collate utf8mb4_bin not null default (uuid())',
  'modify id varchar(36) character set utf8mb4 not null',
  'default character set latin1, modify id char(36) not null default (uuid())',
])("MySQL and MariaDB give new foreign keys the character set of others' key: %s", async (clause) => {
  const pointer: Attribute = { id: 'p', name: 'Its', type: 'ForeignKey', optional: true, foreignEntity: 'u' };
  const added = { id: 'w', name: 'Added', isUuid: false, attributes: [{ ...pointer, id: 'q' }] };
  const next = thing([name, pointer]);
  const models = [thing([name]), { ...next, entities: [...next.entities, added] }] as const;
  await onEach(models, async ({ target, apply }) => {
    if (target.dialect !== 'mysql') return;
    await target.query(`alter table uuu ${clause}`);
    await apply();
    const key = '01930000-0000-7000-8000-000000000001';
    await target.query(`insert into uuu (id) values ('${key}')`);
    for (const sql of [
      `insert into thing (name, its_id) values ('one', '${key}')`,
      `insert into added (its_id) values ('${key}')`,
    ])
      await target.query(sql);
    const others = target.query(`insert into added (its_id) values ('${key.replace('1', '2')}')`);
    await expect(others).rejects.toThrow(/foreign key constraint/);
  });
});

test('finds the views that read what is renamed or dropped, and says what becomes of them', async () => {
  const spare: Attribute = { id: 's', name: 'Spare', type: 'String', optional: true };
  const models = [thing([name, spare]), thing([{ ...name, name: 'Title' }, spare])] as const;
  const without = thing([spare]);
  const [one, two, dropped] = versionsOf([...models, without]);
  await onEach(models, async ({ target, apply }) => {
    await target.query('create view v_thing as select t.id, t.name from thing t');
    await target.query('create view v_spare as select id, spare from thing');
    await target.query('create view v_rows as select count(*) as number from thing');
    const found = async (versions: (string | undefined)[], from: number, version: number) => {
      const { findings } = await planOfApply.work({
        versions: versions.map(String),
        database: DATABASE,
        from,
        version,
        answers: await readAnswers(target),
        newest: undefined,
        stopped: undefined,
        isForRun: false,
      });
      return findings.filter(({ code }) => code.startsWith('views')).map(({ code, where }) => [code, where]);
    };
    const mysql = target.dialect === 'mysql';
    expect(await found([one, two], 1, 2)).toEqual([[mysql ? 'viewsBreak' : 'viewsFollow', 'v_thing']]);
    await apply();
    // The finding tells what happens.
    const read = target.query('select name from v_thing');
    if (mysql) await expect(read).rejects.toThrow(/invalid/);
    else expect(await read).toEqual([]);
    expect(await target.query('select spare from v_spare')).toEqual([]);
    if (mysql) return;
    expect(await found([one, two, dropped], 2, 3)).toEqual([['viewsRefuse', 'v_thing']]);
    await expect(target.query('alter table thing drop column title')).rejects.toThrow(/depend on it/);
  });
});
