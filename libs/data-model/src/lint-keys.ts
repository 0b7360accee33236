/** Findings about foreign keys and unique values that come to tables with rows. Pure. */
import { countTwice, countWithoutKey, type Counter } from './counts';
import type { Finding } from './lint';
import type { NativePart } from './model';
import { pairs } from './pairs';
import { identified, isSamePart } from './plan-parts';
import type { Column, ColumnType, Structure, Table } from './structure';

/** The ids of a table and of its columns. */
interface Target {
  readonly table: string;
  readonly columns: readonly string[];
}

const REMEDY = 'Empty or correct those values first.';

export function* keyFindings(
  [was, is]: readonly [Table, Table],
  { from, to }: { from: Structure; to: Structure },
  counter: Counter,
): Generator<Finding> {
  const refused = (columns: readonly Column[], target: Target): Finding | undefined => {
    const count = countOf(was, columns, { target, from, counter });
    const names = columns.map(({ name }) => name).join(', ');
    const theirs = to.tables.find(({ id }) => id === target.table)?.name ?? target.table;
    return (
      count && {
        code: 'keysMissing',
        severity: 'refusable',
        where: `${was.name}.${names}`,
        reason: `${names} of ${is.name} becomes a foreign key, but rows have values that are no key of ${theirs}.`,
        remedy: REMEDY,
        count,
      }
    );
  };
  for (const [old, now] of pairs(was.columns, is.columns).kept) {
    const { reference } = now;
    if (!reference || old.reference?.table === reference.table) continue;
    yield (
      refused([old], { table: reference.table, columns: [reference.column ?? KEY] }) ?? {
        code: 'foreignKeyAdded',
        severity: 'refusable',
        where: `${was.name}.${old.name}`,
        reason: `${now.name} becomes a foreign key: the database refuses values that are no key there.`,
        remedy: REMEDY,
        count: counter.rows(was, old, 'is not null'),
      }
    );
  }
  for (const { kind, columns: ids, target, targetColumns } of partsThatCome(was, is)) {
    const columns = ids && columnsIn(was, ids);
    if (!columns) continue;
    if (kind === 'foreignKey' && target !== undefined && targetColumns) {
      const finding = refused(columns, { table: target, columns: targetColumns });
      if (finding) yield finding;
    }
    const place = UNIQUE.has(kind) ? counter.place(was, columns) : undefined;
    const names = columns.map(({ name }) => name).join(', ');
    if (place)
      yield {
        code: 'valuesTwice',
        severity: 'refusable',
        where: `${was.name}.${names}`,
        reason: `${names} of ${is.name} becomes unique, but rows have the same values.`,
        remedy: 'Change those values first.',
        count: countTwice(place),
      };
  }
}

const UNIQUE: ReadonlySet<NativePart['kind']> = new Set(['key', 'unique', 'uniqueIndex']);
/** The key of a table that was not imported, which is not among its columns. */
const KEY = 'id';

const partsThatCome = (was: Table, is: Table): NativePart[] => {
  const { added, kept } = pairs(identified(was.native?.parts), identified(is.native?.parts));
  const changed = kept.filter(([one, other]) => !isSamePart(one.part, other.part));
  return [...added, ...changed.map(([, other]) => other)].map(({ part }) => part);
};

const columnsIn = ({ key, columns }: Table, ids: readonly string[]): Column[] | undefined => {
  const found = ids.flatMap((id): Column[] => {
    const column = columns.find((one) => one.id === id);
    return column ? [column] : id === KEY ? [{ id, name: id, type: key, required: true }] : [];
  });
  return found.length === ids.length ? found : undefined;
};

interface About {
  readonly target: Target;
  readonly from: Structure;
  readonly counter: Counter;
}

/** Undefined if values cannot be compared with keys before they are converted. */
function countOf(was: Table, columns: readonly Column[], { target, from, counter }: About) {
  const place = counter.place(was, columns);
  if (!place) return undefined;
  const table = from.tables.find(({ id }) => id === target.table);
  if (!table) return countWithoutKey(place, undefined);
  const keys = columnsIn(table, target.columns);
  const there = keys && counter.place(table, keys);
  const isComparable = there?.columns.every((key, at) => compares(key, place.columns[at]));
  return isComparable ? countWithoutKey(place, there) : undefined;
}

type Exact = Pick<Column, 'type' | 'native'>;

const WHOLE: ReadonlySet<ColumnType | undefined> = new Set(['Int', 'Long']);
/** Without defaults and numbers of its own. */
const typeOf = ({ type, native }: Exact): ColumnType => native?.type ?? type;
const compares = (one: Exact, other: Exact | undefined): boolean =>
  other !== undefined && (typeOf(one) === typeOf(other) || (WHOLE.has(one.type) && WHOLE.has(other.type)));
