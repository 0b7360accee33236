/** Facts and changes that a step reported. */
import classes from './RunPage.module.css';

/** `dockerVersion` as `docker version`. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** Key of the report that lists the changes made, one per line. */
const CHANGED = 'changed';

export const StepReport = ({ report }: { report: Record<string, string> }) => {
  const { [CHANGED]: changed, ...facts } = report;
  const found = Object.entries(facts);
  return (
    <>
      {changed && (
        <ul className={classes.changed} aria-label="Changes made">
          {changed
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </ul>
      )}
      {found.length > 0 && (
        <dl className={classes.report}>
          {found.map(([name, value]) => (
            <div key={name}>
              <dt>{inWords(name)}</dt>
              <dd>{value === '' ? 'none' : value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
};
