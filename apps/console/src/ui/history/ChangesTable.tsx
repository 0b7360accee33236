/** Fields with what they were and what they became. */
import type { Difference } from '@quarterdeck/projections';
import { absoluteTime } from '../RelativeTime';
import classes from './history.module.css';

/** Instants as they are written everywhere here; every other value as it is. */
const readable = (value: string | undefined): string | undefined =>
  value !== undefined && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? absoluteTime(value) : value;

interface ChangesTableProps {
  changes: readonly Difference[];
  /** Whether there is a before; without, values are only recorded. */
  compared: boolean;
}

export const ChangesTable = ({ changes, compared }: ChangesTableProps) => (
  <table className={classes.changes} data-compared={compared || undefined}>
    <thead>
      <tr>
        <th scope="col">Field</th>
        {compared && <th scope="col">Before</th>}
        <th scope="col">{compared ? 'After' : 'Value'}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map(({ field, before, after }) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          {compared && (
            <td className={before === undefined ? undefined : classes.before}>{readable(before)}</td>
          )}
          <td className={compared && after !== undefined ? classes.after : undefined}>{readable(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
