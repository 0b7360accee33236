/** What an undo would change: the subject field by field, then the other subjects by name, with fields on demand. */
import { Box } from '@mantine/core';
import type { Difference, UndoPreview, UndoStep } from '@quarterdeck/projections';
import { Disclosure } from '../../ui/Disclosure';
import { ChangesTable } from './ChangesTable';
import { Note } from '../../ui/Note';

export const UndoSteps = ({ steps: [first, ...others], count }: Pick<UndoPreview, 'steps' | 'count'>) => (
  <>
    {first && (
      <Box component="section" aria-label={first.subject.name} mb={16}>
        <Box component="h3" m="24px 0 8px" fz={14} fw={600}>
          {first.subject.name}
        </Box>
        {first.refused === undefined ? <Would step={first} /> : <Stays why={first.refused} />}
      </Box>
    )}
    {others.map((step) => (
      <Along key={step.subject.id} step={step} />
    ))}
    {count > others.length + 1 && (
      <Note m="8px 0 0">and {(count - others.length - 1).toLocaleString('en')} more</Note>
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
    <Note m="8px 0 0">The history will say: {says}.</Note>
    <Changes changes={changes} />
  </>
);

const Changes = ({ changes }: { changes: readonly Difference[] }) => (
  <ChangesTable changes={changes} compared={changes.some(({ before }) => before !== undefined)} />
);

const Stays = ({ why }: { why: string }) => (
  <Box component="span" c="dimmed">
    is not changed: {why}
  </Box>
);
