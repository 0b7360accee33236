/** Compares the stored output with its recorded digest: a badge if they match, a red alert if they differ. */
import { Alert, Box } from '@mantine/core';
import { IconAlertOctagon, IconShieldCheck, IconShieldQuestion, IconTrash } from '@tabler/icons-react';
import type { RunView } from '@quarterdeck/projections';
import { useAsOf } from '../../core/as-of/as-of-state';
import { toApiError } from '../../core/http';
import { isLive, stepTitle, useRunCheckQuery, type StepCheck } from '../../records/runs';
import { BadgeHint } from '../../ui/BadgeHint';
import { count } from '../../ui/count';
import { StateBadge } from '../../ui/StateBadge';
import look from '../../ui/look.module.css';
import { Bullets } from '../../ui/List';

/** Skipped in a view of the past, because the check reads the output stored now. */
export const useOutputCheck = (run: RunView) => {
  const past = useAsOf() !== undefined;
  return { past, ...useRunCheckQuery({ id: run.id, revision: run.revision }, { skip: isLive(run) || past }) };
};

export const OutputCheck = ({ run }: { run: RunView }) => {
  const { past, data: steps, error, isFetching } = useOutputCheck(run);
  if (past)
    return (
      <StateBadge
        state="unchecked"
        icon={IconShieldQuestion}
        label="not checked: the check works only in the present"
      />
    );
  if (error !== undefined)
    return (
      <StateBadge
        state="unchecked"
        icon={IconShieldQuestion}
        label={`not checked: ${toApiError(error).msg}`}
      />
    );
  if (isFetching || !steps)
    return <StateBadge state="checking" icon={IconShieldQuestion} label="checking …" />;
  if (steps.some(({ matches }) => matches === false))
    return <StateBadge state="differs" tone="bad" icon={IconAlertOctagon} label="differs from the record" />;
  if (steps.some(({ removed }) => removed))
    return <StateBadge state="removed" icon={IconTrash} label="was removed" />;
  const compared = steps.filter(({ recorded }) => recorded);
  if (compared.length === 0)
    return <StateBadge state="unknown" icon={IconShieldQuestion} label="the end was not recorded" />;
  return (
    <BadgeHint label="Size and SHA-256 of each step match the history">
      <StateBadge state="matches" icon={IconShieldCheck} label="Integrity verified" />
    </BadgeHint>
  );
};

export const OutputDiffers = ({ run }: { run: RunView }) => {
  const { currentData: steps = [] } = useOutputCheck(run);
  const wrong = steps.filter(({ matches }) => matches === false);
  if (wrong.length === 0) return null;
  return (
    <Alert
      role="alert"
      color="red"
      variant="filled"
      icon={<IconAlertOctagon size={20} aria-hidden />}
      title="The output differs from the record"
      mb="md"
    >
      <Box component="p" className={look.wrap} m="0 0 4px">
        It was changed in the database after it was recorded. Do not rely on the output below.
      </Box>
      <Bullets mb={4}>
        {wrong.map((step) => (
          <li key={`${step.step}/${step.attempt}`}>
            <Difference run={run} step={step} />
          </li>
        ))}
      </Bullets>
    </Alert>
  );
};

const Difference = ({ run, step: { recorded, actual, ...step } }: { run: RunView; step: StepCheck }) =>
  recorded ? (
    <>
      <strong>{stepTitle(run.kind, step)}</strong>: recorded {count(recorded.bytes, 'byte')} with SHA-256{' '}
      <code>{recorded.sha256}</code>, found {count(actual.bytes, 'byte')} with <code>{actual.sha256}</code>.
    </>
  ) : (
    <>
      {count(actual.bytes, 'byte')} of output belong to no step of this run ({step.step || 'no step'}).
    </>
  );
