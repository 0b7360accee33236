/** Random calls of random APIs on a real engine, compared with the oracle. */
import Ajv2020 from 'ajv/dist/2020';
import {
  answerShape,
  bound,
  compileCall,
  perform,
  Refused,
  Uncompilable,
  type ApiModel,
  type CrudBlock,
  type Values,
} from '@quarterdeck/api';
import { quoted } from '@quarterdeck/data-model';
import type { Ground } from './grounds';
import { answerOf, dangles, stateAfter } from './oracle';
import { Refusal, type Row, type State } from './oracle-values';
import { dice, randomCall, randomModel, randomState, uuidOf } from './random';

export interface Counted {
  calls: number;
  refused: number;
  changed: number;
}

const NEW_ROWS = 1000;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

async function fill(ground: Ground, model: ApiModel, state: State): Promise<void> {
  const name = (text: string): string => quoted(text, ground.dialect);
  for (const entity of model.entities.values()) {
    for (const row of state.get(entity.name) ?? []) {
      const its = [...entity.attributes.values()];
      const places = its.map((_, at) => (ground.dialect === 'mysql' ? '?' : `$${at + 1}`)).join(', ');
      const values = its.map(({ name: attribute, type }) => {
        const value = row[attribute];
        if (type === 'JSON' && value !== null) return JSON.stringify(value);
        return type === 'LocalDateTime'
          ? String(value).replace('T', ' ')
          : type === 'Boolean' && value !== null
            ? Number(value)
            : value;
      });
      await ground.ask({
        text: `insert into ${name(entity.table)} (${its.map(({ column }) => name(column)).join(', ')}) values (${places})`,
        values: values.map((value, at) =>
          state && row[its[at]?.name ?? ''] === null ? null : value,
        ) as string[],
      });
    }
    if (entity.key[0]?.type === 'Long')
      await ground.ask({
        text:
          ground.dialect === 'mysql'
            ? `alter table ${name(entity.table)} auto_increment = ${NEW_ROWS}`
            : `alter table ${name(entity.table)} alter column id restart with ${NEW_ROWS}`,
        values: [],
      });
  }
}

/** All rows, of all tenants. */
async function stateOf(ground: Ground, model: ApiModel): Promise<State> {
  const values: Values = { params: {}, query: {}, body: null, user: null, chain: {}, in: {}, now: '' };
  const state: State = new Map();
  for (const { name, attributes } of model.entities.values()) {
    const open = {
      ...model,
      entities: new Map(
        [...model.entities].map(([key, one]) => [
          key,
          {
            ...one,
            attributes: new Map([...one.attributes].map(([its, of]) => [its, { ...of, hidden: false }])),
          },
        ]),
      ),
    };
    const block = compileCall(
      { type: 'list', entity: name, projection: [...attributes.keys()], take: 500 },
      open,
    );
    if (block.type === 'snippet') throw new Error('a list is no snippet');
    state.set(name, (await perform(block, values, { ask: ground.ask, uuid: () => '' })).value() as Row[]);
  }
  return state;
}

const asSet = (state: State): Record<string, Row[]> =>
  Object.fromEntries(
    [...state].map(([name, rows]) => [
      name,
      rows.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
    ]),
  );

const statement = (text: string) => ({ text, values: [] });

/** @throws with the seed, the block and the request, if the engine and the oracle differ */
export async function randomCalls(ground: Ground, seed: number, calls: number): Promise<Counted> {
  const d = dice(seed);
  const { model, api, all } = randomModel(d, ground.dialect);
  await ground.renew(model);
  const state = randomState(d, all);
  await fill(ground, all, state);
  const counted = { calls: 0, refused: 0, changed: 0 };
  for (let tried = 0; counted.calls < calls && tried < calls * 20; tried += 1) {
    const { block, values } = randomCall(d, api);
    let compiled;
    try {
      compiled = compileCall(block, api);
    } catch (error) {
      if (error instanceof Uncompilable) continue;
      throw error;
    }
    if (compiled.type === 'snippet') continue;
    counted.calls += 1;
    const question = { model: api, state, values };
    const isRead = block.type === 'list' || block.type === 'detail';
    let expected: unknown;
    try {
      expected = isRead ? answerOf(question, block) : stateAfter(question, block);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expected = error;
    }
    if (!isRead) await ground.ask(statement('begin'));
    let got: unknown;
    try {
      got = (await perform(compiled, values, { ask: ground.ask, uuid: () => uuidOf(NEW_ROWS) })).value();
    } catch (error) {
      got = error;
    }
    try {
      if (await differs(ground, all, block, state, expected, got))
        throw new Error(
          `seed ${seed}, call ${counted.calls}: ${JSON.stringify({ block, values })}\nexpected ${shownAs(expected)}\ngot ${shownAs(got)}\n${sqlOf(compiled, values)}`,
        );
    } finally {
      if (!isRead) await ground.ask(statement('rollback'));
    }
    // Every third one, because a schema takes longer to compile than a block.
    if (!(got instanceof Error) && counted.calls % 3 === 0) {
      const shape = answerShape({ method: 'POST', path: '/', blocks: [block] }, api);
      if (!ajv.validate(shape, got))
        throw new Error(
          `seed ${seed}: ${JSON.stringify(block)} is not of its shape: ${ajv.errorsText()}\n${shownAs(got)}`,
        );
    }
    if (got instanceof Error) counted.refused += 1;
    else if (!isRead) counted.changed += 1;
  }
  return counted;
}

const shownAs = (one: unknown): string =>
  one instanceof Error ? `${one.name}: ${one.message}` : JSON.stringify(one instanceof Map ? [...one] : one);

const sqlOf = (compiled: object, values: Values): string => {
  try {
    const sql =
      'reading' in compiled ? (compiled.reading as { sql: never }).sql : (compiled as { sql: never }).sql;
    return bound(sql, 'dialect' in compiled ? (compiled.dialect as 'mysql') : 'mysql', values, {
      keys: [],
      newKey: '',
    }).text;
  } catch (error) {
    return String(error);
  }
};

/** SQLSTATE or number of a row that points to nothing, or is still pointed at. */
const isDangling = (error: unknown): boolean =>
  error instanceof Error &&
  ['23503', 'ER_ROW_IS_REFERENCED_2', 'ER_NO_REFERENCED_ROW_2'].includes(
    String((error as { code?: unknown }).code),
  );

async function differs(
  ground: Ground,
  all: ApiModel,
  block: CrudBlock,
  state: State,
  expected: unknown,
  got: unknown,
): Promise<boolean> {
  if (expected instanceof Refusal) {
    if (isDangling(got)) return expected.status !== 409;
    if (!(got instanceof Refused)) return true;
    const { status } = got.refusal;
    // A request may have several faults, and each side names the first that it finds.
    return (
      status !== expected.status &&
      ![status, expected.status].every((one) => one === 400 || one === 409 || one === 401)
    );
  }
  if (block.type === 'list' || block.type === 'detail') return !isSame(got, expected);
  const { changed, state: after, added } = expected as ReturnType<typeof stateAfter>;
  if (isDangling(got))
    return !(dangles(all, after) || (block.type === 'delete' && selfPointing(all, block.entity)));
  if (got instanceof Error) return true;
  const now = await stateOf(ground, all);
  // The database gives the keys of new rows.
  const before = new Set((state.get(block.entity) ?? []).map(({ id }) => id));
  const fresh = (now.get(block.entity) ?? []).filter(({ id }) => !before.has(id));
  if (block.type === 'insert' || block.type === 'insertMultiple') {
    if (fresh.length !== added.length) return true;
    for (const [at, row] of added.entries()) row['id'] = fresh[at]?.['id'];
    const rest = (rows: Row[]): string[] =>
      rows.map((row) => JSON.stringify({ ...sortedKeys(row), id: null })).toSorted();
    if (!isSame(rest(fresh), rest(added))) return true;
    for (const [at, row] of added.entries()) Object.assign(row, fresh[at]);
  }
  if (block.type === 'insert') {
    const { secretCode: _hidden, ...shown } = fresh[0] as Row;
    return !isSame(got, shown) || !isSame(asSet(now), asSet(after));
  }
  return !isSame(got, { changed }) || !isSame(asSet(now), asSet(after));
}

/** Whether two values are the same JSON, whatever the order of their keys. */
const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

const textOf = (given: unknown): string =>
  JSON.stringify(given, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? sortedKeys(value as Row) : value,
  );

const sortedKeys = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** InnoDB checks a row at a time, so rows that point to each other cannot be deleted together. */
const selfPointing = (model: ApiModel, name: string): boolean =>
  [...(model.entities.get(name)?.attributes.values() ?? [])].some(({ to }) => to === name);
