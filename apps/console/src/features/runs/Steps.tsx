import type { RunStepView, RunView } from '@quarterdeck/projections';
import { usePlayed, type Player } from '../../records/run-output';
import { Elapsed, stepTitle } from '../../records/runs';
import { Disclosure } from '../../ui/Disclosure';
import { StateBadge } from '../../ui/StateBadge';
import classes from './RunPage.module.css';
import { stepsAt } from './steps-at';
import { Dim, Note } from '../../ui/Note';
import { Group, UnstyledButton } from '@mantine/core';
import { Bullets, List } from '../../ui/List';
import { Section } from '../../ui/Card';
import { Facts } from '../../ui/Facts';

/** `exit code 3` or `killed by SIGKILL`; `undefined` for a plain success. */
const ending = ({ exitCode, signal }: RunStepView): string | undefined =>
  signal
    ? `killed by ${signal}`
    : exitCode === undefined || exitCode === 0
      ? undefined
      : `exit code ${exitCode}`;

interface StepsProps {
  run: RunView;
  /** If given, steps are shown as they were at its current instant. */
  player: Player | undefined;
  /** Returns a function that goes to the step's start in the output; `undefined` for a step that printed nothing. */
  onGo: (step: RunStepView) => (() => void) | undefined;
}

/** Lists every attempt, so a retry does not hide the attempt before it. */
export const Steps = ({ run, player, onGo }: StepsProps) => {
  // While playing, render at most four times a second.
  const instant = usePlayed(player, ({ atEnd, playing, instant: at }) =>
    atEnd ? undefined : playing ? Math.floor(at / 250) * 250 : at,
  );
  const steps = stepsAt(run.steps, instant);
  return (
    <Section title="Steps" className={classes.steps}>
      {steps.length === 0 ? (
        <Note>{run.state === 'requested' ? 'Waiting to start …' : 'No step was started.'}</Note>
      ) : (
        <List component="ol">
          {steps.map(({ step, later }) => (
            <li key={`${step.step}/${step.attempt}`} data-later={later || undefined}>
              <Group justify="space-between" wrap="nowrap" align="flex-start" gap={8}>
                <StepName run={run} step={step} go={onGo(step)} />
                {!later && (
                  <Dim style={{ whiteSpace: 'nowrap' }}>
                    <Elapsed since={step.startedAt} ms={step.durationMs} />
                  </Dim>
                )}
              </Group>
              {later ? (
                <Dim fz={12}>not yet</Dim>
              ) : (
                <>
                  <StateBadge state={step.state} />
                  {ending(step) && <Dim ml={8}>{ending(step)}</Dim>}
                  {step.report && (
                    <Disclosure title="Details">
                      <StepReport report={step.report} />
                    </Disclosure>
                  )}
                </>
              )}
            </li>
          ))}
        </List>
      )}
    </Section>
  );
};

const StepName = ({ run, step, go }: { run: RunView; step: RunStepView; go: (() => void) | undefined }) =>
  go ? (
    <UnstyledButton className={classes.name} fz="inherit" onClick={go}>
      {stepTitle(run.kind, step)}
    </UnstyledButton>
  ) : (
    <span className={classes.name}>{stepTitle(run.kind, step)}</span>
  );

/* Facts and changes that a step reported. */

/** `dockerVersion` as `docker version`. */
const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** Key of the report that lists the changes made, one per line. */
const CHANGED = 'changed';

const StepReport = ({ report }: { report: Record<string, string> }) => {
  const { [CHANGED]: changed, ...facts } = report;
  const found = Object.entries(facts);
  return (
    <>
      {changed && (
        <Bullets mt={6} fz={12} aria-label="Changes made">
          {changed
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </Bullets>
      )}
      {found.length > 0 && (
        <Facts
          mt={6}
          fz={12}
          style={{ gap: '0 8px' }}
          facts={found.map(([name, value]) => [inWords(name), value === '' ? 'none' : value] as const)}
        />
      )}
    </>
  );
};
