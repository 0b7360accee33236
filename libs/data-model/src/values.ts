/** Values that an operator gives to existing rows for an attribute that is required now. Pure. */
import { firsts } from './grouped';
import { countOf } from './counts';
import type { Finding } from './lint';
import { isSameShape } from './plan';
import type { ColumnShape, Step } from './steps';
import {
  fillsItself,
  inBoth,
  isGenerated,
  labelOf,
  literalOf,
  sqlOf,
  type Dialect,
  type Migration,
} from './sql';
import type { ColumnType, StoredType } from './structure';
import type { Way } from './versions';

export interface GivenValue {
  /** `table.column`, as in the finding that asks for it. */
  readonly where: string;
  readonly value: string;
}

/** Why this is no value for the type; undefined if it is one. */
function valueProblem(type: ColumnType, value: string): string | undefined {
  const rule = RULES[type as StoredType];
  // The dry run tells whether a type that a model cannot express takes the value.
  return rule === undefined || rule.fits(value) ? undefined : `write ${rule.as}`;
}

const whole = (least: bigint, most: bigint) => (value: string) =>
  /^-?\d{1,19}$/.test(value) && BigInt(value) >= least && BigInt(value) <= most;

const isDate = (value: string): boolean => {
  const [year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []).slice(1).map(Number);
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};
const isTime = (value: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(value);

const isJson = (value: string): boolean => {
  try {
    JSON.parse(value);
    // PostgreSQL stores no such character.
    return !value.includes(String.raw`\u0000`);
  } catch {
    return false;
  }
};

const RULES: Record<StoredType, { fits: (value: string) => boolean; as: string }> = {
  String: {
    fits: (value) => [...value].length <= 255 && !value.includes('\0'),
    as: 'at most 255 characters',
  },
  Int: {
    fits: whole(-(2n ** 31n), 2n ** 31n - 1n),
    as: 'a whole number from -2147483648 to 2147483647',
  },
  Long: {
    fits: whole(-(2n ** 63n), 2n ** 63n - 1n),
    as: 'a whole number from -9223372036854775808 to 9223372036854775807',
  },
  Boolean: { fits: (value) => /^(true|false)$/.test(value), as: 'true or false' },
  LocalDate: { fits: isDate, as: 'a date such as 2026-11-28' },
  LocalDateTime: {
    fits: (value) => {
      const [date = '', time = ''] = value.split(/[ T]/);
      return value.length === date.length + 1 + time.length && isDate(date) && isTime(time);
    },
    as: 'a date and a time such as 2026-11-28 13:30:00',
  },
  LocalTime: { fits: isTime, as: 'a time such as 13:30:00' },
  BigDecimal: {
    fits: (value) => /^-?\d{1,28}(\.\d{1,10})?$/.test(value),
    as: 'a decimal with at most 28 digits before the point and 10 after it',
  },
  Double: {
    fits: (value) => /^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/i.test(value) && Number.isFinite(Number(value)),
    as: 'a number such as 1.5',
  },
  JSON: { fits: isJson, as: 'JSON such as {}' },
  Uuid: {
    fits: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
    as: 'a UUID such as 01930000-0000-7000-8000-000000000001',
  },
};

type FilledStep = Extract<Step, { kind: 'addColumn' | 'changeColumn' }>;

/** The column of a step for which existing rows need a value. */
const columnIn = (step: FilledStep): ColumnShape => (step.kind === 'addColumn' ? step.column : step.to);

const needsValue = (step: Step): step is FilledStep =>
  step.kind === 'addColumn'
    ? step.column.required && !fillsItself(step.column)
    : step.kind === 'changeColumn' && step.to.required && !step.from.required && !isGenerated(step.to);

const placeIn = (step: Step): string | undefined =>
  needsValue(step) ? `${step.table}.${columnIn(step).name}` : undefined;

/**
 * Existing rows get the value. In a new column, as a default, which the next statement removes: new rows have to bring
 * their own. In one that becomes required, once it has its type.
 */
export function filled<T extends Migration>(migrations: readonly T[], values: readonly GivenValue[]): T[] {
  if (values.length === 0) return [...migrations];
  const valueOf = new Map(values.map(({ where, value }) => [where, value]));
  return migrations.flatMap((migration) => {
    const { step } = migration;
    const value = valueOf.get(placeIn(step) ?? '');
    if (!needsValue(step) || value === undefined) return [migration];
    return stepsWith(step, value).map((one) => ({
      ...migration,
      step: one,
      label: labelOf(one),
      sql: inBoth((dialect) => sqlOf(one, dialect)),
    }));
  });
}

function stepsWith(step: FilledStep, value: string): Step[] {
  const { table } = step;
  if (step.kind === 'addColumn')
    return [
      { ...step, value },
      { kind: 'dropDefault', table, column: step.column.name },
    ];
  const { from, to } = step;
  const still = { ...to, required: false };
  const hasType = isSameShape(from, still);
  return [
    ...(hasType ? [] : [{ ...step, to: still }]),
    { kind: 'fillColumn', table, column: to.name, type: to.type, value },
    { ...step, from: hasType ? from : still },
  ];
}

/** Takes the question out of each finding that has a value. */
export const answered = (findings: readonly Finding[], values: readonly GivenValue[]): Finding[] => {
  const valueOf = new Map(values.map(({ where, value }) => [where, value]));
  return findings.map((finding) => {
    const value = valueOf.get(finding.where);
    if (finding.asks === undefined || value === undefined) return finding;
    const { asks: _asks, ...rest } = finding;
    return {
      ...rest,
      code: 'requiredColumnFilled',
      severity: 'advice',
      reason: `${finding.code === 'columnRequired' ? 'Rows without a value' : 'Existing rows'} get the value ${JSON.stringify(value)} in ${finding.where}.`,
      remedy: 'New rows have to bring a value of their own.',
    };
  });
};

interface WrongValue {
  /** Place in the list of values. */
  readonly at: number;
  readonly field: 'where' | 'value';
  readonly message: string;
}

export interface JudgedValues {
  readonly wrong?: WrongValue;
  /** Counts the rows that a value points to as a foreign key. */
  readonly pointers: readonly { readonly at: number; readonly target: string; readonly count: string }[];
}

/** Compares the values with the columns that a way adds, or makes required. */
export function judgedValues(
  { migrations, from, between, to }: Way,
  values: readonly GivenValue[],
  dialect: Dialect,
): JudgedValues {
  const steps = firsts(
    migrations.map(({ step }) => step).filter((step) => needsValue(step)),
    placeIn,
  );
  const pointers: JudgedValues['pointers'][number][] = [];
  for (const [at, { where, value }] of values.entries()) {
    const step = steps.get(where);
    if (!step)
      return { pointers, wrong: { at, field: 'where', message: `existing rows need no value for ${where}` } };
    const { table } = step;
    const column = columnIn(step);
    const problem = valueProblem(column.type, value);
    if (problem !== undefined) return { pointers, wrong: { at, field: 'value', message: problem } };
    const reference = [...between, to]
      .flatMap(({ tables }) => tables.filter(({ name }) => name === table))
      .flatMap(({ columns }) => columns.filter(({ name }) => name === column.name))
      .find((one) => one.reference)?.reference;
    if (!reference) continue;
    const target = from.tables.find(({ id }) => id === reference.table);
    if (!target) {
      const message = 'the table that it points to has no rows yet: make the attribute optional';
      return { pointers, wrong: { at, field: 'value', message } };
    }
    const key = { id: 'id', name: 'id', type: column.type, required: true };
    const count = countOf(target, key, `= ${literalOf(column.type, value, dialect)}`)[dialect];
    pointers.push({ at, target: target.name, count });
  }
  return { pointers };
}
