/** The edits that make one entity match its table in a real database. Pure. */
import type { Adoption } from './adoption';
import {
  adoptedTable,
  namesColumn,
  type AdoptedTable,
  type AtImport,
  type NamesAtImport,
} from './adoption-exact';
import type { Change } from './changes';
import type { Drift } from './drift';
import { columnOf, tableOf, type Attribute, type Entity, type NativeColumn } from './model';
import type { Table } from './structure';
import { nativeOf } from './structure-of';

export const STAYS = 'has edits that are in no version yet, and stays as it is';
export const REMOVED = 'was removed from the model, and is not added again';
export const exists = ({ name }: Entity): string => `Entity ${name} exists already and stays as it is.`;

/** A column that was found, and the attribute that it has in the version and now. */
interface Match {
  readonly attribute: Attribute;
  readonly old: Attribute | undefined;
  readonly current: Attribute | undefined;
}

/** @param oldNames by the column that somebody renamed */
export function matched(was: Entity, is: Entity, found: Entity, oldNames: ReadonlyMap<string, string>) {
  const [before, now] = [byColumn(was.attributes), byColumn(is.attributes)];
  const byId = new Map(is.attributes.map((attribute) => [attribute.id, attribute]));
  const matches = found.attributes.map((attribute): Match => {
    const column = columnOf(attribute);
    const old = before.get(column) ?? before.get(oldNames.get(column) ?? '');
    return { attribute, old, current: old ? byId.get(old.id) : now.get(column) };
  });
  return { is, matches };
}

/** A new column gets a name that no column had, so that nothing of another one is taken for its own. */
export function namesAtImport({ is, matches }: { is: Entity; matches: readonly Match[] }): NamesAtImport {
  const taken = new Set([
    ...(is.native?.columns ?? []),
    ...is.attributes.flatMap(({ native }) => native?.as ?? []),
  ]);
  const columns = new Map<string, string>();
  for (const { attribute, old, current } of matches) {
    const column = columnOf(attribute);
    let as = (current ?? old)?.native?.as;
    for (let number = 1; as === undefined; number += 1) {
      const free = number === 1 ? column : `${column} ${number}`;
      if (!taken.has(free)) as = free;
    }
    taken.add(as);
    columns.set(column, as);
  }
  return { table: is.native?.as ?? tableOf(is), columns };
}

interface EntityPair {
  readonly was: Entity;
  readonly is: Entity;
  readonly found: Entity;
  readonly matches: readonly Match[];
  /** By attribute. */
  readonly pending: ReadonlyMap<string | undefined, readonly Change[]>;
  /** Of the version; undefined if the database has the same. */
  readonly table: Table | undefined;
  readonly drift: readonly Drift[];
  readonly atImport: AtImport;
}

const RETYPED: readonly Change['kind'][] = [
  'attributeRetyped',
  'attributeReferred',
  'attributeOptionsChanged',
  'exactTypeChanged',
];

/** Fields that are adopted together, and the kinds of pending changes that prevent it. */
interface Aspect {
  of(attribute: Attribute): Partial<Attribute>;
  readonly kinds: readonly Change['kind'][];
}

const plainAspects: readonly Aspect[] = [
  {
    of: ({ type, foreignEntity }) => ({ type, ...(foreignEntity !== undefined && { foreignEntity }) }),
    kinds: RETYPED,
  },
  { of: ({ optional }) => ({ optional }), kinds: ['requirementChanged'] },
];

const exactAspects: readonly Aspect[] = [
  ...plainAspects,
  {
    of: (attribute) => {
      const native = nativeOf(attribute);
      if (!native) return { native };
      // In one order, so that they can be compared.
      const { dialect, as, of, type, rest = '' } = native;
      return { native: { dialect, as, of, type, ...(rest !== '' && { rest }) } };
    },
    kinds: RETYPED,
  },
];

/** Yields the edits, and in words the parts that stay unchanged. */
export function* editsOf(pair: EntityPair): Generator<Adoption | string> {
  const { was, is, found, matches, pending, atImport } = pair;
  const { isUuid } = found;
  const exact = exactOf(pair);
  if (exact?.isPending) yield `The exact table of ${is.name} ${STAYS}.`;
  const fields = {
    ...(was.isUuid !== isUuid && is.isUuid !== isUuid && { isUuid }),
    ...(exact?.native && { native: exact.native }),
  };
  if (Object.keys(fields).length > 0)
    yield { do: 'editEntity', entity: { id: is.id, name: is.name, ...fields } };
  const byId = new Map(is.attributes.map((attribute) => [attribute.id, attribute]));
  const isPending = (id: string, kinds?: readonly Change['kind'][]): boolean =>
    (pending.get(id) ?? []).some(({ kind }) => kinds?.includes(kind) !== false);
  const isKept = new Set<Attribute | undefined>();
  for (const { attribute: read, old, current } of matches) {
    const column = columnOf(read);
    isKept.add(old);
    const where = `${was.name}.${(current ?? old ?? read).name}`;
    if (!old) {
      if (current) yield `${where} exists already and stays as it is.`;
      else yield { do: 'addAttribute', entity: was.id, attribute: attributeAt(read, found, atImport) };
      continue;
    }
    const attribute = { ...read, native: exactColumn(pair, exact, read, old) };
    const aspects = exact ? exactAspects : plainAspects;
    const drifted = aspects.filter(({ of }) => !isSame(of(old), of(attribute)));
    if (!current) {
      if (drifted.length > 0) yield `${where} ${REMOVED}.`;
      continue;
    }
    const wanted = drifted.filter(({ of }) => !isSame(of(current), of(attribute)));
    const free = wanted.filter(({ kinds }) => !isPending(old.id, kinds));
    if (free.length < wanted.length) yield `${where} ${STAYS}.`;
    const { id, name } = current;
    const changed: Partial<Attribute> = Object.assign({}, ...free.map(({ of }) => of(attribute)));
    if (columnOf(old) !== column) {
      if (isPending(old.id, ['attributeRenamed', 'columnRenamed'])) yield `${where} ${STAYS}.`;
      else
        yield {
          do: 'editAttribute',
          attribute: { id, name, ...changed, ...renamedTo(is, current, attribute) },
        };
      continue;
    }
    // The column keeps its name, even if another name would be derived for the new type.
    const kept = columnOf(current);
    const named = columnOf({ ...current, ...changed }) !== kept && { column: kept };
    if (free.length > 0) yield { do: 'editAttribute', attribute: { id, name, ...changed, ...named } };
  }
  for (const old of was.attributes) {
    if (isKept.has(old) || !byId.has(old.id)) continue;
    if (isPending(old.id)) yield `${was.name}.${old.name} ${STAYS}, although its column is missing.`;
    else yield { do: 'removeAttribute', id: old.id, name: old.name };
  }
}

/** What is adopted of an imported table; undefined if there is nothing, or if the database is of another engine. */
function exactOf({ was, is, found, table, atImport }: EntityPair): AdoptedTable | undefined {
  if (!table || !was.native || !found.native || was.native.dialect !== found.native.dialect) return undefined;
  if (!is.native) return { native: undefined, parts: [], isPending: true };
  return adoptedTable({
    was: was.native,
    is: is.native,
    found: atImport.table(found.native),
    table,
    attributes: was.attributes,
  });
}

/**
 * The exact column that is adopted. An attribute that was made in the console has none, and gets one only if its type
 * cannot say what the column is, or if a part of the table names it.
 */
function exactColumn(
  { found, drift, atImport }: EntityPair,
  exact: AdoptedTable | undefined,
  { native }: Attribute,
  old: Attribute,
): NativeColumn | undefined {
  if (!native || !exact) return undefined;
  const read = atImport.column(native, tableOf(found));
  const isNeeded =
    drift.some(({ kind, column }) => kind === 'columnRetyped' && column === native.as) ||
    exact.parts.some((part) => namesColumn(part, read.as, read.dialect));
  return nativeOf(old) || isNeeded ? read : undefined;
}

const attributeAt = (attribute: Attribute, found: Entity, atImport: AtImport): Attribute =>
  attribute.native ? { ...attribute, native: atImport.column(attribute.native, tableOf(found)) } : attribute;

/** The name that follows from the new column, unless another attribute has it. */
function renamedTo({ attributes }: Entity, { id, name }: Attribute, found: Attribute) {
  const isTaken = attributes.some(
    (other) => other.id !== id && other.name.toLowerCase() === found.name.toLowerCase(),
  );
  const renamed = isTaken ? name : found.name;
  const column = columnOf(found);
  const isDerived = columnOf({ name: renamed, type: found.type }) === column;
  return { renamed, column: isDerived ? '' : column };
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const byColumn = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [columnOf(attribute), attribute]));
