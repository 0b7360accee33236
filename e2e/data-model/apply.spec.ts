// covers: VER-02, VER-04
/** Versions applied to a real MariaDB and a real PostgreSQL, and plans refused before anything is carried out. */
import { randomUUID } from 'node:crypto';
import { driftOf, journal, structureOf, type Attribute } from '@quarterdeck/data-model';
import { migrationsOf, noStructure, plan } from '@quarterdeck/data-model';
import { Applying, type ApplyIo, type SealedPlan } from '../../apps/backend/src/versions/applying';
import {
  appliedVersion,
  openTarget,
  type Target,
  type TargetAddress,
} from '../../apps/backend/src/databases/target';
import { startServers, type Server } from './addresses';
import { copyOf } from '../../apps/backend/src/versions/rehearsal';
import { DATABASE, from, migrations, sealedFor, sealFor, to } from './plans';
import { readStructure } from './read-structure';

let servers: Server[];
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

/**
 * @param told collects what a run reports about its first statement
 * @param between what others do between the checks and that statement
 */
const deps = (
  address: TargetAddress,
  told: string[],
  between = (): Promise<unknown> => Promise.resolve(),
) => ({
  open: () => openTarget(address, { connectMs: 10_000, lockMs: 1_000 }),
  outageMs: 0,
  retryMs: 10,
  isOver: () => Promise.resolve(false),
  started: async () => {
    told.push('started');
    await between();
  },
  refused: async () => void told.push('refused'),
});

function listening(signal = new AbortController().signal) {
  const lines: string[] = [];
  const io: ApplyIo = { print: (line) => void lines.push(line), signal };
  return { lines, io };
}

/** On each engine, in a fresh database. */
const onBoth = (test: (address: TargetAddress, target: Target) => Promise<void>) => async () => {
  for (const server of servers) {
    const address = await server.fresh();
    const target = await openTarget(address);
    try {
      await test(address, target);
    } finally {
      await target.end();
    }
  }
};

const apply = (
  address: TargetAddress,
  plan: SealedPlan,
  io: ApplyIo,
  run = randomUUID(),
  told: string[] = [],
  between?: () => Promise<unknown>,
) => new Applying(run, plan, deps(address, told, between), io).perform();

it(
  'carries out every statement, records it, and reads the structure back',
  onBoth(async (address, target) => {
    const { lines, io } = listening();
    const run = randomUUID();
    const done = await apply(address, sealedFor(await readStructure(target)), io, run);
    expect(migrations.length).toBeGreaterThanOrEqual(40);
    expect(done).toEqual({ statements: migrations.length, before: 0, left: [] });
    expect(driftOf(to, await readStructure(target))).toEqual([]);
    expect(lines.slice(0, 3)).toEqual([
      'Dry run',
      'The dry run succeeded.',
      `1/${migrations.length} create_table_alpha`,
    ]);
    expect(await appliedVersion(target)).toBe(2);
    const rows = await target.query(journal[target.dialect].ofRun, [run]);
    expect(rows.map(({ sequence, state }) => `${String(sequence)} ${String(state)}`)).toEqual(
      Array.from({ length: migrations.length + 1 }, (_, sequence) => `${sequence} done`),
    );
    // Repeats the same run, as after a lost answer.
    expect(await apply(address, sealedFor(from), io, run)).toMatchObject({
      before: migrations.length,
    });
  }),
);

it(
  'refuses a plan if the database changed after it was shown, and changes nothing',
  onBoth(async (address, target) => {
    const plan = sealedFor(await readStructure(target));
    await target.query('create table by_hand (id int)');
    await expect(apply(address, plan, listening().io)).rejects.toThrow(
      'The database is not what the version before says: The table by_hand is not part of the version.',
    );
    expect((await readStructure(target)).tables).toHaveLength(1);
  }),
);

it(
  'refuses a plan whose statements differ from those that were shown',
  onBoth(async (address, target) => {
    const plan = sealedFor(await readStructure(target));
    await expect(
      apply(address, { ...plan, migrations: plan.migrations.slice(1) }, listening().io),
    ).rejects.toThrow('The model or the database has changed since this plan was shown.');
  }),
);

it(
  'refuses a plan that was shown for another database with the same structure',
  onBoth(async (address, target) => {
    const structure = await readStructure(target);
    const seal = sealFor(migrations, structure, randomUUID());
    await expect(apply(address, { ...sealedFor(structure), seal }, listening().io)).rejects.toThrow(
      'The model or the database has changed since this plan was shown.',
    );
  }),
);

it(
  'finds in a dry run the statement that would fail, and changes nothing',
  onBoth(async (address, target) => {
    const plan = sealedFor(await readStructure(target));
    const broken = [...plan.migrations];
    const wrong = 'alter table nowhere add column a int;';
    broken[20] = { ...broken[20]!, sql: { mysql: wrong, postgresql: wrong } };
    const seal = sealFor(broken, await readStructure(target));
    await expect(apply(address, { ...plan, migrations: broken, seal }, listening().io)).rejects.toThrow(
      /^The dry run failed at statement 21 .* Nothing was changed\.$/,
    );
    expect((await readStructure(target)).tables).toEqual([]);
  }),
);

it(
  'does not touch other databases in a dry run, whatever their names',
  onBoth(async (address, target) => {
    if (target.dialect !== 'mysql') return;
    const other = `${address.database}_quarterdeck`;
    const all = async () => (await target.query('show databases')).map((row) => Object.values(row)[0]);
    await target.query(`create database ${other}`);
    const before = await all();
    await apply(address, sealedFor(await readStructure(target)), listening().io);
    expect(await all()).toEqual(before);
    await target.query(`drop database ${other}`);
  }),
);

const copies = async (target: Target) =>
  (await target.query(`show databases like 'quarterdeck\\_%'`)).map((row) => String(Object.values(row)[0]));

/** Opens the database; the server ends the first connection in the middle of the dry run. */
const killedInDryRun = (address: TargetAddress, admin: Target) => {
  let isFirst = true;
  return async (): Promise<Target> => {
    const target = await openTarget(address, { connectMs: 10_000, lockMs: 1_000 });
    const [row] = await target.query('select connection_id() as id');
    return {
      ...target,
      query: async (sql, ...rest) => {
        if (isFirst && sql === migrations[3]?.sql.mysql) {
          isFirst = false;
          expect(await copies(admin)).toHaveLength(1);
          await admin.query(`kill ${String(row?.id)}`);
        }
        return target.query(sql, ...rest);
      },
    };
  };
};

it(
  'leaves no copy of a dry run whose connection was lost, whether or not it goes on',
  onBoth(async (address, target) => {
    if (target.dialect !== 'mysql') return;
    const plan = sealedFor(await readStructure(target));
    const { io } = listening();
    const goesOn = { ...deps(address, []), open: killedInDryRun(address, target), outageMs: 60_000 };
    const [first, second] = [randomUUID(), randomUUID()];
    const fails = { ...goesOn, outageMs: -1, open: killedInDryRun(address, target) };
    await expect(new Applying(first, plan, fails, io).perform()).rejects.toThrow();
    expect(await copies(target)).toEqual([]);
    await new Applying(second, plan, goesOn, io).perform();
    expect(await copies(target)).toEqual([]);
  }),
);

it(
  'drops the copy of its own earlier attempt and those of runs that have ended, and no others',
  onBoth(async (address, target) => {
    if (target.dialect !== 'mysql') return;
    const [run, ended, unknown] = [randomUUID(), randomUUID(), randomUUID()];
    for (const one of [run, ended, unknown]) await target.query(`create database ${copyOf(one)}`);
    await target.query('create database quarterdeck_of_somebody');
    const plan = sealedFor(await readStructure(target));
    const isOver = (one: string) => Promise.resolve(one === ended);
    await new Applying(run, plan, { ...deps(address, []), isOver }, listening().io).perform();
    expect((await copies(target)).toSorted()).toEqual(
      ['quarterdeck_of_somebody', copyOf(unknown)].toSorted(),
    );
    await target.query(`drop database ${copyOf(unknown)}`);
    await target.query('drop database quarterdeck_of_somebody');
  }),
);

/** A run that was cancelled after its third statement. */
const cancelledAtThird = async (address: TargetAddress, target: Target) => {
  const run = randomUUID();
  const plan = sealedFor(await readStructure(target));
  const cancel = new AbortController();
  const print = (line: string) => void (line.startsWith('3/') && cancel.abort());
  const { io } = listening(cancel.signal);
  await expect(apply(address, plan, { ...io, print }, run)).rejects.toThrow(/abort/);
  return { run, plan };
};

it(
  'waits for another apply to the same database, but not forever',
  onBoth(async (address, target) => {
    const plan = sealedFor(await readStructure(target));
    await target.query(journal[target.dialect].lock);
    await expect(apply(address, plan, listening().io)).rejects.toThrow(
      'Somebody else is applying a version to this database. Try again when they are done.',
    );
  }),
);

it(
  'waits for the last statement of the previous process, which still holds the lock, and continues',
  onBoth(async (address, target) => {
    const { run, plan } = await cancelledAtThird(address, target);
    await target.query(journal[target.dialect].lock);
    const { lines, io } = listening();
    const print = (line: string) => {
      io.print(line);
      if (line.includes('still busy')) void target.query(journal[target.dialect].unlock);
    };
    expect(await apply(address, plan, { ...io, print }, run)).toMatchObject({ before: 3 });
    expect(lines[0]).toBe('The database is still busy with the last statement. Waiting for it.');
  }),
);

it(
  'stops between two statements when it is cancelled, and continues with the next',
  onBoth(async (address, target) => {
    const run = randomUUID();
    const plan = sealedFor(await readStructure(target));
    const cancel = new AbortController();
    const { lines, io } = listening(cancel.signal);
    const print = (line: string) => {
      io.print(line);
      if (line.startsWith('12/')) cancel.abort();
    };
    await expect(apply(address, plan, { ...io, print }, run)).rejects.toThrow(/abort/);
    expect(lines.at(-1)).toMatch(/^12\//);
    const again = listening();
    expect(await apply(address, plan, again.io, run)).toMatchObject({ before: 12 });
    expect(again.lines[0]).toMatch(/^13\//);
    expect(driftOf(to, await readStructure(target))).toEqual([]);
  }),
);

it(
  'does not continue after another run has applied something to the same database',
  onBoth(async (address, target) => {
    const { run, plan } = await cancelledAtThird(address, target);
    const other = [randomUUID(), 0, 3, 'version 3', 'done'];
    await target.query(journal[target.dialect].begin, other);
    const before = await readStructure(target);
    await expect(apply(address, plan, listening().io, run)).rejects.toThrow(
      'Another run has applied a version to this database since',
    );
    expect(await readStructure(target)).toEqual(before);
  }),
);

type Nick = Pick<Attribute, 'type' | 'optional'>;

/** From an attribute to the same with another type, in a database with one row. */
const changed = async (target: Target, before: Nick, after: Nick, row: string) => {
  const of = (nick: Nick) =>
    structureOf({
      entities: [
        {
          id: 'a',
          name: 'Author',
          isUuid: false,
          attributes: [
            { id: 'x', name: 'Age', type: 'Int', optional: true },
            { id: 'n', name: 'Nick', ...nick },
          ],
        },
      ],
      optionSets: [],
    });
  const [was, is] = [of(before), of(after)];
  for (const { sql } of migrationsOf(plan(noStructure, was))) await target.query(sql[target.dialect]);
  await target.query(row);
  const all = migrationsOf(plan(was, is)).map((one) => ({ ...one, version: 2 }));
  const seal = sealFor(all, await readStructure(target));
  return {
    version: 2,
    product: 'shop',
    database: DATABASE,
    migrations: all,
    from: was,
    between: [],
    to: is,
    mayDestroy: false,
    seal,
  };
};

it(
  'refuses what existing rows prevent for certain before the first statement, and carries it out once they are corrected',
  onBoth(async (address, target) => {
    const [optional, required] = [
      { type: 'String', optional: true },
      { type: 'String', optional: false },
    ] as const;
    const sealed = await changed(target, optional, required, 'insert into author (age) values (3)');
    const run = randomUUID();
    const told: string[] = [];
    await expect(apply(address, sealed, listening().io, run, told)).rejects.toThrow(
      'nick becomes required: the database refuses rows without a value. Rows: 1. Give the value that these rows get, or fill the empty values first. Nothing was changed.',
    );
    expect(told).toEqual([]);
    expect(await target.query(journal[target.dialect].ofRun, [run])).toEqual([]);
    await target.query(`update author set nick = 'Ada'`);
    await apply(address, sealed, listening().io, run, told);
    expect(told.at(-1)).toBe('started');
    expect(driftOf(sealed.to, await readStructure(target))).toEqual([]);
    expect(await target.query('select nick from author')).toEqual([{ nick: 'Ada' }]);
  }),
);

it(
  'names the statement that rows from after the checks prevent, and continues from it once they are corrected',
  onBoth(async (address, target) => {
    const [long, int] = [
      { type: 'Long', optional: true },
      { type: 'Int', optional: true },
    ] as const;
    const sealed = await changed(target, long, int, 'insert into author (age) values (3)');
    const run = randomUUID();
    const told: string[] = [];
    const between = () => target.query('update author set nick = 3000000000');
    await expect(apply(address, sealed, listening().io, run, told, between)).rejects.toThrow(
      /^Statement 1 of 1 \(change_column_author_nick\) was refused: .*Nothing was changed\.$/,
    );
    expect(told).toEqual(['started', 'refused']);
    expect(await target.query(journal[target.dialect].ofRun, [run])).toEqual([]);
    await target.query('update author set nick = 3');
    await apply(address, sealed, listening().io, run, told);
    expect(told.at(-1)).toBe('started');
    expect(driftOf(sealed.to, await readStructure(target))).toEqual([]);
    expect(await target.query('select nick from author')).toEqual([{ nick: 3 }]);
  }),
);

it(
  'drops a table only if that was confirmed, whether or not it has rows',
  onBoth(async (address, target) => {
    const was = structureOf({
      entities: [{ id: 'a', name: 'Author', isUuid: false, attributes: [] }],
      optionSets: [],
    });
    for (const { sql } of migrationsOf(plan(noStructure, was))) await target.query(sql[target.dialect]);
    const migrations = migrationsOf(plan(was, noStructure)).map((one) => ({ ...one, version: 2 }));
    const seal = sealFor(migrations, await readStructure(target));
    const sealed = {
      version: 2,
      product: 'shop',
      migrations,
      from: was,
      between: [],
      to: noStructure,
      mayDestroy: false,
      database: DATABASE,
      seal,
    };
    for (const rows of [0, 1]) {
      if (rows > 0)
        await target.query(
          `insert into author ${target.dialect === 'mysql' ? '() values ()' : 'default values'}`,
        );
      const { lines, io } = listening();
      await expect(apply(address, sealed, io)).rejects.toThrow(
        'This is destructive, and nobody has confirmed it. Nothing was changed.',
      );
      expect(lines).toEqual([`The table author is dropped with all its rows. (rows: ${rows})`]);
    }
    await apply(address, { ...sealed, mayDestroy: true }, listening().io);
    expect((await readStructure(target)).tables).toEqual([]);
  }),
);
