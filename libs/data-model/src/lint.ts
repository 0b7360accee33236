/** Warnings about the steps from one structure to another, each with a reason and a remedy. */
import { riskOf } from './conversions';
import { atOnce, type Counter } from './counts';
import { keyFindings } from './lint-keys';
import { pairs } from './pairs';
import { fillsItself, isGenerated, type Dialect } from './sql';
import type { Column, ColumnType, Structure, Table } from './structure';

export interface Finding {
  readonly code:
    | ('dropTable' | 'dropColumn' | 'dropForeignKey' | 'typeLoses' | 'typeRefuses')
    | (
        | 'requiredColumnFilled'
        | 'columnRequired'
        | 'requiredColumnAdded'
        | 'foreignKeyAdded'
        | 'keysMissing'
        | 'valuesTwice'
        | 'foreignKeyWithoutIndex'
      )
    | ('tableRenamed' | 'columnRenamed' | 'indexReplaced')
    | ('viewsBreak' | 'viewsFollow' | 'viewsRefuse');
  /**
   * `destructive`: destroys data. `refusable`: the database may refuse, depending on its rows. `breaking`: programs
   * that know the old structure fail. `advice`: works, but with a disadvantage.
   */
  readonly severity: 'destructive' | 'refusable' | 'breaking' | 'advice';
  readonly where: string;
  readonly reason: string;
  readonly remedy: string;
  /** SQL that counts the affected rows, to run before the first step. */
  readonly count?: Readonly<Record<Dialect, string>> | undefined;
  /** Existing rows need a value of this type, which the operator has to give. */
  readonly asks?: ColumnType;
  /** Number of affected rows. */
  readonly rows?: number;
}

export function lint(from: Structure, to: Structure, count: Counter = atOnce): Finding[] {
  const tables = pairs(from.tables, to.tables);
  return [
    ...tables.gone.map((table): Finding => ({
      code: 'dropTable',
      severity: 'destructive',
      where: table.name,
      reason: `The table ${table.name} is dropped with all its rows.`,
      remedy: 'Take a dump of the table first. Rename the entity instead if its rows are still needed.',
      count: count.rows(table),
    })),
    ...tables.kept.flatMap((both) => [
      ...tableFindings(...both, count),
      ...keyFindings(both, { from, to }, count),
    ]),
    ...tables.added.flatMap((table) =>
      table.columns.flatMap((column) => lintIndex(table, undefined, column)),
    ),
  ];
}

/** Adds the counted rows to the findings. */
export const withRows = (findings: readonly Finding[], rows: readonly (number | undefined)[]): Finding[] =>
  findings.map((finding, at) => {
    const counted = rows[at];
    return counted === undefined ? finding : { ...finding, rows: counted };
  });

/**
 * Without rows, no value is lost and nothing is refused. A dropped table or column still has an effect, because
 * programs can no longer write to it.
 */
export const hasEffect = ({
  code,
  severity,
  rows,
}: Pick<Finding, 'severity' | 'rows'> & { readonly code: string }): boolean =>
  rows !== 0 || (severity === 'destructive' && code !== 'typeLoses');

/** Whether the operator must confirm by typing the name of the product. */
export const destroys = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'destructive' && hasEffect(finding));

const CERTAIN: ReadonlySet<string> = new Set<Finding['code']>([
  'columnRequired',
  'requiredColumnAdded',
  'keysMissing',
  'valuesTwice',
]);

/**
 * The findings whose statement is refused for certain, given the current rows. MySQL would write an empty value into a
 * new required column, which is no JSON and no key.
 */
export const refusals = <F extends Pick<Finding, 'rows'> & { readonly code: string }>(
  findings: readonly F[],
): F[] => findings.filter(({ code, rows }) => CERTAIN.has(code) && rows !== undefined && rows > 0);

function* tableFindings(was: Table, is: Table, count: Counter): Generator<Finding> {
  const { gone, added, kept } = pairs(was.columns, is.columns);
  if (was.name !== is.name)
    yield {
      code: 'tableRenamed',
      severity: 'breaking',
      where: was.name,
      reason: `The table ${was.name} is called ${is.name} afterwards. All rows stay.`,
      remedy: `Deploy programs that know ${is.name} at the same time, or leave a view ${was.name} behind.`,
    };
  for (const column of gone)
    yield {
      code: 'dropColumn',
      severity: 'destructive',
      where: `${was.name}.${column.name}`,
      reason: `The column ${column.name} of ${was.name} is dropped with its values.`,
      remedy: 'Copy the values first, or rename the attribute instead if they are still needed.',
      count: count.rows(was, column, 'is not null'),
    };
  for (const column of added) {
    yield* lintIndex(is, undefined, column);
    if (column.required && !fillsItself(column))
      yield {
        code: 'requiredColumnAdded',
        severity: 'refusable',
        where: `${is.name}.${column.name}`,
        reason: `The new column ${column.name} of ${is.name} is required, but existing rows have no value for it.`,
        remedy:
          'Give the value that existing rows get. Or make the attribute optional, fill the column, and require it in a later version.',
        asks: column.type,
        count: count.rows(was),
      };
  }
  for (const [old, now] of kept) yield* columnFindings(was, is, old, now, count);
}

function* columnFindings(
  was: Table,
  is: Table,
  old: Column,
  now: Column,
  count: Counter,
): Generator<Finding> {
  const where = `${was.name}.${old.name}`;
  if (old.name !== now.name)
    yield {
      code: 'columnRenamed',
      severity: 'breaking',
      where,
      reason: `The column ${old.name} of ${is.name} is called ${now.name} afterwards. All values stay.`,
      remedy: `Deploy programs that know ${now.name} at the same time.`,
    };
  const risk = old.type === now.type ? undefined : riskOf(old.type, now.type);
  if (risk === 'loses')
    yield {
      code: 'typeLoses',
      severity: 'destructive',
      where,
      reason: `${old.type} becomes ${now.type}: values can change, or lose parts, without an error.`,
      remedy: 'Add a second attribute with the new type, and copy the values as you need them.',
      count: count.rows(was, old, 'is not null'),
    };
  if (risk === 'refuses')
    yield {
      code: 'typeRefuses',
      severity: 'refusable',
      where,
      reason: `${old.type} becomes ${now.type}: the database refuses values that do not fit.`,
      remedy: 'Correct the values first, or add a second attribute with the new type.',
      count: count.rows(was, old, 'is not null'),
    };
  if (now.required && !old.required)
    yield {
      code: 'columnRequired',
      severity: 'refusable',
      // As the statement names it, which comes after the renames.
      where: `${is.name}.${now.name}`,
      reason: `${now.name} becomes required: the database refuses rows without a value.`,
      ...(isGenerated(now)
        ? { remedy: 'Fill the empty values first.' }
        : { remedy: 'Give the value that these rows get, or fill the empty values first.', asks: now.type }),
      count: count.rows(was, old, 'is null'),
    };
  if (old.index !== undefined && now.index !== undefined && old.index !== now.index)
    yield {
      code: 'indexReplaced',
      severity: 'advice',
      where,
      reason: `The index ${old.index} of ${old.name} is dropped: ${now.index} takes its place.`,
      remedy: 'Nothing is lost, unless statements name the index.',
    };
  if (old.reference && !now.reference)
    yield {
      code: 'dropForeignKey',
      severity: 'breaking',
      where,
      reason: `The foreign key of ${old.name} is dropped: nothing checks its values any more.`,
      remedy: 'Nothing is lost. Check for values without a row before you add a key again.',
    };
  yield* lintIndex(is, old, now);
}

function lintIndex(table: Table, old: Column | undefined, now: Column): Finding[] {
  if (!now.reference || now.index !== undefined || (old?.reference && old.index === undefined)) return [];
  return [
    {
      code: 'foreignKeyWithoutIndex',
      severity: 'advice',
      where: `${table.name}.${now.name}`,
      reason: `The foreign key ${now.name} has no index: deleting a row it may point to reads all of ${table.name}.`,
      remedy: 'Add an index over the column.',
    },
  ];
}
