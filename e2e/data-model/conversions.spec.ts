/**
 * Every change of a type, with values, on each engine: what counts as kept is kept, what counts as refused is kept or
 * refused, and only what counts as losing may change a value. A refusal comes before the first statement. covers: VER-02
 */
import {
  generated,
  migrationsOf,
  noStructure,
  plan,
  riskOf,
  structureOf,
  type AttributeType,
  type Model,
  type ModelVersion,
} from '@quarterdeck/data-model';
import { openTarget, type Target } from '../../apps/backend/src/databases/target';
import { startServers, type Server } from './addresses';
import { applyVersion } from './applied';
import { readStructure } from './read-structure';

const values = {
  String: ['abc', '007', '1.5', ' 7 ', 'yes', '2020-06-01 12:30:00', '{"a": 1}', '[1]', '12abc', "a'b"],
  Int: ['0', '2', '-1', '2147483647', '-2147483648', '20200601', '123000'],
  Long: ['0', '2', '-1', '9007199254740993', '9223372036854775807', '20200601123000'],
  Boolean: ['true', 'false'],
  LocalDate: ['2020-06-01', '1000-01-01', '9999-12-31'],
  LocalDateTime: ['2020-06-01 00:00:00', '2020-06-01 12:30:00.123456'],
  LocalTime: ['00:00:00', '12:30:00.123456', '23:59:59.999999'],
  BigDecimal: ['0', '1.5', '-0.0000000001', '1234567890123456789012345678.0123456789', '20200601'],
  Double: ['0', '1.5', '0.1', '1e300', '-1e-300'],
  JSON: ['{"a": 1}', '"x"', '12', 'true', 'null', '"12"', '"2020-06-01"'],
} as const satisfies Partial<Record<AttributeType, readonly string[]>>;
type Type = keyof typeof values;
const types = Object.keys(values) as Type[];

const modelWith = (type: Type, ...others: string[]): Model => ({
  entities: [
    ...others.map((name) => ({ id: name, name, isUuid: false, attributes: [] })),
    { id: 't', name: 'Thing', isUuid: false, attributes: [{ id: 'v', name: 'Val', type, optional: true }] },
  ],
  optionSets: [],
});
const structure = (type: Type) => structureOf(modelWith(type));

let servers: Server[];
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

const carryOut = async (target: Target, steps: ReturnType<typeof plan>) => {
  for (const { sql } of migrationsOf(steps)) await target.query(sql[target.dialect]);
};

const shown = async (target: Target): Promise<string> => {
  const [row] = await target.query(
    `select ${target.dialect === 'mysql' ? 'cast(val as char)' : 'val::text'} as text from thing`,
  );
  return String(row?.text);
};

/** The same value in another type: `12` and `12.0000000000`, `true` and `1`, `2020-06-01` and its midnight. */
const meaning = (text: string): string => {
  const bare = text
    .replace(/^"(.*)"$/, '$1')
    .replace('T', ' ')
    .replace(/ 00:00:00(\.0+)?$/, '');
  if (bare === 'true') return '1';
  if (bare === 'false') return '0';
  return /^-?\d+\.\d*0+$/.test(bare) ? bare.replace(/\.?0+$/, '') : bare;
};

const insert = (target: Target, type: Type, value: string) => {
  const isBit = type === 'Boolean' && target.dialect === 'mysql';
  return target.query('insert into thing (val) values (?)', [isBit ? Number(value === 'true') : value]);
};

type Outcome = 'kept' | 'refused' | 'changed';

async function outcomeOf(target: Target, [was, is]: readonly [Type, Type], value: string): Promise<Outcome> {
  await carryOut(target, plan(noStructure, structure(was)));
  try {
    await insert(target, was, value);
    const before = await shown(target);
    const isRefused = await carryOut(target, plan(structure(was), structure(is))).then(
      () => false,
      () => true,
    );
    if (isRefused) return 'refused';
    return meaning(await shown(target)) === meaning(before) ? 'kept' : 'changed';
  } finally {
    await target.query('drop table thing');
  }
}

const ALLOWED = { kept: ['kept'], refuses: ['kept', 'refused'], loses: ['kept', 'refused', 'changed'] };

/** The first statement of version 2 creates a table. */
async function expectRefusedBefore(server: Server, [was, is]: readonly [Type, Type], refused: string) {
  const versions: ModelVersion[] = [];
  for (const model of [modelWith(was), modelWith(is, 'Before')])
    versions.push(generated(versions.at(-1), model) as ModelVersion);
  const texts = versions.map((version) => JSON.stringify(version));
  const address = await server.fresh();
  const target = await openTarget(address);
  const apply = (version: number) =>
    applyVersion({ address, target }, { versions: texts, from: version - 1, version });
  await apply(1);
  for (const value of values[was]) await insert(target, was, value);
  const about = { engine: server.name, was, is, refused };
  const words = await apply(2).then(
    () => 'applied',
    (error: unknown) => String(error),
  );
  expect({ ...about, words }).toMatchObject({ words: expect.stringMatching(/ Nothing was changed\.$/) });
  const found = (await readStructure(target)).tables.map(({ name, columns }) => [name, columns[0]?.type]);
  const [{ counted } = {}] = await target.query('select count(val) as counted from thing');
  expect({ ...about, found, rows: Number(counted) }).toEqual({
    ...about,
    found: [['thing', was]],
    rows: values[was].length,
  });
  await target.end();
}

test.each(types)('%s', async (was) => {
  for (const server of servers) {
    const target = await openTarget(await server.fresh());
    for (const is of types.filter((type) => type !== was)) {
      const outcomes: [string, Outcome][] = [];
      for (const value of values[was]) outcomes.push([value, await outcomeOf(target, [was, is], value)]);
      const risk = riskOf(was, is) ?? 'kept';
      const wrong = outcomes.filter(([, outcome]) => !ALLOWED[risk].includes(outcome));
      expect({ engine: target.dialect, was, is, risk, wrong }).toMatchObject({ wrong: [] });
      const refused = outcomes.find(([, outcome]) => outcome === 'refused');
      if (refused) await expectRefusedBefore(server, [was, is], refused[0]);
    }
    await target.end();
  }
});

test('text becomes JSON in the same way on both engines', async () => {
  for (const server of servers) {
    const target = await openTarget(await server.fresh());
    expect(await outcomeOf(target, ['String', 'JSON'], '{"a": 1}')).toBe('kept');
    expect(await outcomeOf(target, ['String', 'JSON'], 'abc')).toBe('refused');
    await target.end();
  }
});
