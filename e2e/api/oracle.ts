/** Reads definitions as plain JavaScript over rows in memory. Shares no code with the compiler. */
import type { ApiAttribute, ApiEntity, ApiModel, CrudBlock, Filter, Reference } from '@quarterdeck/api';
import {
  at,
  checked,
  comparableOf,
  count,
  isPlace,
  jsonOf,
  refuse,
  type Question,
  type Row,
  type State,
} from './oracle-values';

const OPERATORS = 'eq neq lt lte gt gte in notIn contains startsWith endsWith isNull caseSensitive'.split(
  ' ',
);
const WORDS = ['and', 'or', 'not', 'some', 'none', 'every'];

/** A condition that the request has decided: always true, always false, or with its values. */
type Decided = boolean | { operator: string; values: unknown[] };

function decided(
  question: Question,
  attribute: ApiAttribute,
  operator: string,
  given: unknown,
  isStrict: boolean,
): Decided {
  if (operator === 'isNull' || given === null) return { operator, values: [given] };
  const isList = operator === 'in' || operator === 'notIn';
  if (!isList) {
    const found = at(question, given);
    if (found === undefined) return isPlace(given) && given.optional ? true : refuse();
    if (found === null) return isStrict ? refuse() : false;
    if (
      isStrict &&
      isPlace(given) &&
      found === '' &&
      ['contains', 'startsWith', 'endsWith'].includes(operator)
    )
      refuse();
    return { operator, values: [checked(attribute, found)] };
  }
  let list: unknown = given;
  if (isPlace(given)) {
    const found = at(question, given);
    if (found === undefined) return given.optional ? true : refuse();
    if (found === null) refuse();
    list =
      typeof found === 'string'
        ? found === ''
          ? []
          : found.split(',')
        : Array.isArray(found)
          ? found
          : [found];
  }
  const values = (list as unknown[]).map((one) => {
    const found = at(question, one);
    return found === undefined || found === null ? refuse() : checked(attribute, found);
  });
  if (values.length > 1000) refuse();
  if (values.length === 0) return isStrict ? refuse() : operator === 'notIn';
  return { operator, values };
}

type Test = (row: Row) => boolean;

/** Reads a filter once, so that a request is refused whatever rows there are. */
export function testOf(question: Question, entity: ApiEntity, filter: Filter, isStrict: boolean): Test {
  const { model } = question;
  const inner = (one: Filter, of = entity): Test => testOf(question, of, one, isStrict);
  const tests: Test[] = [];
  for (const [key, given] of Object.entries(filter)) {
    if (key === 'and' || key === 'or') {
      const all = (given as Filter[]).map((one) => inner(one));
      tests.push((row) => (key === 'and' ? all.every((test) => test(row)) : all.some((test) => test(row))));
    } else if (key === 'not') {
      const test = inner(given as Filter);
      tests.push((row) => !test(row));
    } else if (WORDS.includes(key))
      for (const [relation, one] of Object.entries(given as Record<string, Filter>)) {
        const [name = '', attribute = ''] = relation.split('.');
        const child = model.entities.get(name) as ApiEntity;
        const test = inner(one, child);
        tests.push((row) => {
          const rows = visible(question, child).filter(
            (each) => each[attribute] !== null && each[attribute] === keyOf(entity, row),
          );
          if (key === 'some') return rows.some(test);
          return key === 'none' ? !rows.some(test) : rows.every(test);
        });
      }
    else tests.push(attributeTest(question, entity.attributes.get(key) as ApiAttribute, given, isStrict));
  }
  return (row) => tests.every((test) => test(row));
}

function attributeTest(question: Question, attribute: ApiAttribute, given: unknown, isStrict: boolean): Test {
  const isObject = typeof given === 'object' && given !== null && !isPlace(given);
  if (
    isObject &&
    attribute.to !== undefined &&
    !Object.keys(given).every((word) => OPERATORS.includes(word))
  ) {
    const target = question.model.entities.get(attribute.to) as ApiEntity;
    const test = testOf(question, target, given as Filter, isStrict);
    return (row) =>
      visible(question, target).some((one) => keyOf(target, one) === row[attribute.name] && test(one));
  }
  const { caseSensitive = true, ...operators } = isObject ? (given as Row) : { eq: given };
  const all = Object.entries(operators).map(([operator, value]) =>
    decided(question, attribute, operator, value, isStrict),
  );
  return (row) =>
    all.every((one) =>
      typeof one === 'boolean' ? one : holds(attribute, one, row[attribute.name], caseSensitive === true),
    );
}

function holds(
  { type }: ApiAttribute,
  { operator, values }: Exclude<Decided, boolean>,
  has: unknown,
  exact: boolean,
): boolean {
  const [value] = values;
  if (operator === 'isNull') return (has === null) === value;
  if (value === null) return (operator === 'eq') === (has === null);
  const folded = (one: unknown) => (type === 'String' && !exact ? String(one).toLowerCase() : one);
  const equal = (one: unknown) => comparableOf(type, folded(one)) === comparableOf(type, folded(has));
  if (has === null) return operator === 'neq' || operator === 'notIn';
  const text = String(folded(has));
  const part = String(folded(value));
  const [a, b] = [comparableOf(type, has), comparableOf(type, value)];
  switch (operator) {
    case 'eq':
    case 'in':
      return values.some(equal);
    case 'neq':
    case 'notIn':
      return !values.some(equal);
    case 'contains':
      return text.includes(part);
    case 'startsWith':
      return text.startsWith(part);
    case 'endsWith':
      return text.endsWith(part);
    case 'lt':
      return a < b;
    case 'lte':
      return a <= b;
    case 'gt':
      return a > b;
    default:
      return a >= b;
  }
}

export const keyOf = (entity: ApiEntity, row: Row): unknown => row[entity.key[0]?.name ?? ''];

/** The rows that the caller may know of. */
export const visible = ({ state, values }: Question, entity: ApiEntity): Row[] => {
  const rows = state.get(entity.name) ?? [];
  if (!entity.tenant) return rows;
  const { name } = entity.tenant;
  return rows.filter((row) => String(row[name]) === String(values.tenant));
};

function sorted(entity: ApiEntity, rows: readonly Row[], order: Reference['order']): Row[] {
  const by = [...[order ?? []].flat(), ...entity.key.map(({ name }) => ({ by: name, desc: false }))];
  return rows.toSorted((one, other) => {
    for (const { by: name, desc } of by) {
      const { type } = entity.attributes.get(name) as ApiAttribute;
      const [a, b] = [one[name], other[name]];
      if (a === b) continue;
      const less = a === null ? false : b === null ? true : comparableOf(type, a) < comparableOf(type, b);
      return less !== (desc === true) ? -1 : 1;
    }
    return 0;
  });
}

function shown(
  question: Question,
  entity: ApiEntity,
  row: Row,
  of: Pick<Reference, 'projection' | 'references'>,
): Row {
  const { model } = question;
  const names =
    of.projection ?? [...entity.attributes.values()].flatMap((one) => (one.hidden ? [] : [one.name]));
  const answer: Row = Object.fromEntries(names.map((name) => [name, row[name]]));
  for (const [name, reference] of Object.entries(of.references ?? {})) {
    const { from, filters = {}, take = 100, order } = reference;
    const [child = '', relation = ''] = from?.split('.') ?? [];
    const target = model.entities.get(from ? child : (entity.attributes.get(name)?.to ?? '')) as ApiEntity;
    const test = testOf(question, target, filters, false);
    const rows = visible(question, target).filter(
      (one) =>
        (from
          ? one[relation] === keyOf(entity, row) && one[relation] !== null
          : keyOf(target, one) === row[name]) && test(one),
    );
    const all = sorted(target, rows, order).map((one) => shown(question, target, one, reference));
    answer[name] = from ? all.slice(0, take) : (all[0] ?? null);
  }
  return answer;
}

/** Whether the filters of references can be read, whatever rows there are. */
function checkReferences(question: Question, entity: ApiEntity, references: Reference['references']): void {
  for (const [name, { from, filters, references: inner }] of Object.entries(references ?? {})) {
    const target = question.model.entities.get(
      from ? (from.split('.')[0] ?? '') : (entity.attributes.get(name)?.to ?? ''),
    );
    testOf(question, target as ApiEntity, filters ?? {}, false);
    checkReferences(question, target as ApiEntity, inner);
  }
}

/** What a read answers. */
export function answerOf(
  question: Question,
  block: Extract<CrudBlock, { type: 'list' | 'detail' }>,
): unknown {
  const entity = question.model.entities.get(block.entity) as ApiEntity;
  const test = testOf(question, entity, block.filters ?? {}, false);
  checkReferences(question, entity, block.references);
  const rows = visible(question, entity).filter(test);
  const show = (row: Row): Row => shown(question, entity, row, block);
  if (block.type === 'detail') {
    if (rows.length !== 1) refuse(rows.length === 0 ? 404 : 409);
    return show(rows[0] as Row);
  }
  const skip = count(question, block.skip ?? 0, 0, 100_000);
  const take = count(question, block.take ?? 25, 1, 500);
  return sorted(entity, rows, block.order)
    .slice(skip, skip + take)
    .map(show);
}

/** What a write leaves behind. `newKey` of an insert is known only afterwards. */
export function stateAfter(
  question: Question,
  block: Extract<CrudBlock, { type: 'update' | 'delete' | 'insert' | 'insertMultiple' }>,
): { changed: number; state: State; added: Row[] } {
  const { model, state } = question;
  const entity = model.entities.get(block.entity) as ApiEntity;
  const rows = state.get(entity.name) ?? [];
  const withRows = (its: Row[]): State => new Map(state).set(entity.name, its);
  const dataIn = (asked: Question): Row =>
    Object.fromEntries(
      Object.entries('data' in block ? block.data : {}).map(([name, value]) => {
        const attribute = entity.attributes.get(name) as ApiAttribute;
        const given = at(asked, value);
        if (given === undefined) return refuse();
        if (given === null) return attribute.optional ? [name, null] : refuse();
        if (attribute.type !== 'JSON') checked(attribute, given);
        if (attribute.length !== undefined && [...(given as string)].length > attribute.length) refuse();
        if (attribute.options && !attribute.options.includes(Number(given))) refuse();
        return [name, attribute.type === 'Uuid' ? (given as string).toLowerCase() : jsonOf(attribute, given)];
      }),
    );
  /** A foreign key is looked at when a row is written; whether its row is the caller's, before that. */
  const pointing = (datas: readonly Row[], isWritten: boolean): void => {
    for (const data of datas)
      for (const [name, value] of Object.entries(data)) {
        const target = model.entities.get(entity.attributes.get(name)?.to ?? '');
        if (!target || value === null || (!isWritten && !target.tenant)) continue;
        if (!visible(question, target).some((one) => keyOf(target, one) === value)) refuse(409);
      }
  };
  if (block.type === 'update' || block.type === 'delete') {
    const test = testOf(question, entity, block.filters, true);
    const data = dataIn(question);
    const hit = new Set(visible(question, entity).filter(test));
    pointing([data], hit.size > 0);
    const left =
      block.type === 'delete'
        ? rows.filter((row) => !hit.has(row))
        : rows.map((row) => (hit.has(row) ? { ...row, ...data } : row));
    return { changed: hit.size, state: withRows(left), added: [] };
  }
  const items = block.type === 'insertMultiple' ? at(question, block.each) : [undefined];
  if (!Array.isArray(items) || items.length > 1000) return refuse();
  const all = items.map((item) => dataIn({ ...question, values: { ...question.values, item } }));
  pointing(all, true);
  const empty = Object.fromEntries([...entity.attributes.keys()].map((name) => [name, null]));
  const tenant = entity.tenant ? { [entity.tenant.name]: jsonOf(entity.tenant, question.values.tenant) } : {};
  const added = all.map((data) => ({ ...empty, ...data, ...tenant }));
  return { changed: added.length, state: withRows([...rows, ...added]), added };
}

/** Whether rows point to rows that are gone. */
export const dangles = (model: ApiModel, state: State): boolean =>
  [...model.entities.values()].some((entity) =>
    [...entity.attributes.values()].some(({ name, to }) => {
      const target = model.entities.get(to ?? '');
      if (!target) return false;
      const keys = new Set((state.get(target.name) ?? []).map((row) => keyOf(target, row)));
      return (state.get(entity.name) ?? []).some((row) => row[name] !== null && !keys.has(row[name]));
    }),
  );
