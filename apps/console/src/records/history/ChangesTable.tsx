/** A table of fields with their values before and after. */
import type { Difference } from '@quarterdeck/projections';
import { useActorName } from '../actor';
import { absoluteTime } from '../../ui/RelativeTime';
import { part } from '../../ui/part';
import classes from './drawers.module.css';
import look from '../../ui/look.module.css';

/** Only long texts need it. */
const LineDiff = part(
  () => import('../../ui/line-diff').then((all) => ({ default: all.LineDiff })),
  'Comparing',
);

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** `Versions 2: by`, `Cancel requested by`: the value is an actor. */
const BY = /\bby$/i;

/** Formats instants and names people; leaves other values as they are. */
const useReadable = () => {
  const nameOf = useActorName();
  return (field: string, value: string | undefined): string | undefined => {
    if (value === undefined) return undefined;
    if (BY.test(field)) return nameOf(value);
    return INSTANT.test(value) ? absoluteTime(value) : value;
  };
};

/** Beside each other, long texts hide what changed in them. */
const LONG = 120;
const isText = (value: string): boolean => value.length > LONG || value.includes('\n');

interface ChangesTableProps {
  changes: readonly Difference[];
  /** Whether there is a "before" to compare with; if not, only the recorded values are shown. */
  compared: boolean;
}

export const ChangesTable = ({ changes, compared }: ChangesTableProps) => {
  const readable = useReadable();
  return (
    <table className={`${look.table} ${classes.changes}`} data-compared={compared || undefined}>
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
            {compared && before !== undefined && after !== undefined && (isText(before) || isText(after)) ? (
              <td colSpan={2}>
                <LineDiff before={before} after={after} label={`${field}: changed lines`} />
              </td>
            ) : (
              <>
                {compared && (
                  <td className={before === undefined ? undefined : classes.before}>
                    {readable(field, before)}
                  </td>
                )}
                <td className={compared && after !== undefined ? classes.after : undefined}>
                  {readable(field, after)}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
