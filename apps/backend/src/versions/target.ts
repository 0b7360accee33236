/** What an apply asks of the database of a product. */
import { withRows, type Finding } from '@quarterdeck/data-model';
import type { Target } from '../databases';

export { appliedVersion, isLost, readStructure, type Row, type Target } from '../databases';

/** Each finding with the number of rows that it concerns now. */
export async function counted(target: Target, findings: readonly Finding[]): Promise<Finding[]> {
  const rows: (number | undefined)[] = [];
  for (const { count } of findings) {
    const [row] = count === undefined ? [] : await target.query(count[target.dialect]);
    rows.push(row && Number(row.rows_concerned));
  }
  return withRows(findings, rows);
}
