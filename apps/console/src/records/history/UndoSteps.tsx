/** What an undo would change: the subject field by field, then the other subjects by name, with fields on demand. */
import type { Difference, UndoPreview, UndoStep } from '@quarterdeck/projections';
import { Disclosure } from '../../ui/Disclosure';
import { ChangesTable } from './ChangesTable';
import classes from './drawers.module.css';

export const UndoSteps = ({ steps: [first, ...others], count }: Pick<UndoPreview, 'steps' | 'count'>) => (
  <>
    {first && (
      <section aria-label={first.subject.name} className={classes.step}>
        <h3 className={classes.section}>{first.subject.name}</h3>
        {first.refused === undefined ? <Would step={first} /> : <Stays why={first.refused} />}
      </section>
    )}
    {others.map((step) => (
      <Along key={step.subject.id} step={step} />
    ))}
    {count > others.length + 1 && (
      <p className={classes.more}>and {(count - others.length - 1).toLocaleString('en')} more</p>
    )}
  </>
);

const Along = ({ step }: { step: UndoStep }) => (
  <Disclosure
    title={step.subject.name}
    digest={step.refused === undefined ? step.says : <Stays why={step.refused} />}
  >
    {step.refused === undefined && <Changes changes={step.changes} />}
  </Disclosure>
);

const Would = ({ step: { says, changes } }: { step: UndoStep }) => (
  <>
    <p className={classes.more}>The history will say: {says}.</p>
    <Changes changes={changes} />
  </>
);

const Changes = ({ changes }: { changes: readonly Difference[] }) => (
  <ChangesTable changes={changes} compared={changes.some(({ before }) => before !== undefined)} />
);

const Stays = ({ why }: { why: string }) => <span className={classes.stays}>is not changed: {why}</span>;
