/** Queries that an apply makes in the database of a product. */
import {
  withRows,
  type Finding,
  type GivenValue,
  type JournalRow,
  type JudgedValues,
} from '@quarterdeck/data-model';
import { isLost, journalRows, type Row, type Target } from '../databases';
import { invalidField } from '../platform/errors';

export {
  acceptZeroDates,
  appliedVersion,
  isLost,
  readAnswers,
  refuseOther,
  type Row,
  type Target,
} from '../databases';

/** Nothing was changed, or only the statements before the one that the message names were executed. */
export class ApplyRefused extends Error {
  override readonly name = 'ApplyRefused';
}

/** Adds the number of rows that each finding concerns at present. */
export async function counted(target: Target, findings: readonly Finding[]): Promise<Finding[]> {
  const rows: (number | undefined)[] = [];
  for (const { count } of findings) {
    // A server may refuse to compare texts of two collations: then nobody knows the number.
    const [row] =
      count === undefined ? [] : await target.query(count[target.dialect], [], Infinity).catch(unlessLost);
    rows.push(row && Number(row.rows_concerned));
  }
  return withRows(findings, rows);
}

const unlessLost = (error: unknown): Row[] => {
  if (isLost(error)) throw error;
  return [];
};

/** The journal of a run, in order. */
export async function journalOf(target: Target, run: string): Promise<JournalRow[]> {
  const rows = await journalRows(target, 'ofRun', [run]);
  return rows.map((row) => ({ ...(row as unknown as JournalRow), sequence: Number(row.sequence) }));
}

/** The newest run that changed the structure, or `undefined`. */
export async function newestRun(target: Target): Promise<string | undefined> {
  const [row] = await journalRows(target, 'newest');
  return row && String(row.run);
}

/** @throws DomainError `validation` if a value does not fit its column, or is a key that does not exist */
export async function refuseValues(
  target: Target,
  { wrong, pointers }: JudgedValues,
  values: readonly GivenValue[],
): Promise<void> {
  if (wrong) throw invalidField(`values.${wrong.at}.${wrong.field}`, wrong.message);
  for (const { at, target: table, count } of pointers) {
    const [row] = await target.query(count);
    if (Number(row?.rows_concerned) === 0)
      throw invalidField(`values.${at}.value`, `${table} has no row with the key ${values[at]?.value}`);
  }
}
