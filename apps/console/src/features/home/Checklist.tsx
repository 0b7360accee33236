/** First steps in a new workspace. Each is ticked off by the state of the workspace, not by a click. */
import { Button } from '@mantine/core';
import { IconArrowRight, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import type { Answer, home } from '@quarterdeck/contract';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import classes from './home.module.css';
import { LineAction } from './LineAction';
import { Dim } from '../../ui/Note';
import { Lines } from '../../ui/List';
import { Section } from '../../ui/Card';
import { toneColor } from '../../ui/tone';

type Steps = Answer<typeof home.overview>['steps'];

/** Only superadmins can take backups. One on the console's own disk is lost with it. */
export type BackupStep = 'taken' | 'missing' | undefined;

interface Step {
  label: string;
  why: string;
  done: boolean;
  /** Page for this step; absent while an earlier step has to come first. */
  to?: string | undefined;
}

const stepsOf = (steps: Steps, backup: BackupStep): readonly Step[] => [
  {
    label: 'Add a server',
    why: 'Any Unix-like machine that you can reach over SSH.',
    done: steps.server,
    to: paths.serverAdd(),
  },
  {
    label: 'Set it up',
    why: 'Initialize Server installs nginx and certbot and makes the folders for sites.',
    done: steps.setUp,
    to: steps.nextServer && paths.server(steps.nextServer),
  },
  {
    label: 'Add a domain',
    why: 'Its DNS record has to point to the server.',
    done: steps.domain,
    to: steps.server ? paths.domainAdd() : undefined,
  },
  {
    label: 'Get its certificate',
    why: "From Let's Encrypt, renewed before it expires.",
    done: steps.certificate,
    to: steps.nextDomain && paths.domain(steps.nextDomain, 'certificate'),
  },
  {
    label: 'Invite somebody',
    why: 'As a member or as an administrator.',
    done: steps.invitation,
    to: paths.invite(),
  },
  ...(backup === undefined
    ? []
    : [
        {
          label: 'Keep a backup elsewhere',
          why: 'Until one is kept elsewhere, everything is lost with this machine.',
          done: backup === 'taken',
          to: paths.superadmin('backups'),
        },
      ]),
];

export const isComplete = (steps: Steps, backup: BackupStep): boolean =>
  stepsOf(steps, backup).every(({ done }) => done);

/** The notice under which the server remembers that a person has hidden the checklist. */
export const FIRST_STEPS = { id: 'first-steps', mark: 'hidden' };

interface ChecklistProps {
  steps: Steps;
  backup: BackupStep;
  onHide: () => void;
}

export const Checklist = ({ steps, backup, onHide }: ChecklistProps) => {
  const all = stepsOf(steps, backup);
  const done = all.filter((step) => step.done).length;
  const next = all.find((step) => !step.done && step.to !== undefined);
  return (
    <Section
      title={
        <>
          First steps{' '}
          <Dim ml={4} fw={400}>
            {done} of {all.length}
          </Dim>
        </>
      }
      actions={
        <DisabledInPast>
          <Button variant="subtle" aria-label="Hide the first steps" onClick={onHide}>
            Hide
          </Button>
        </DisabledInPast>
      }
    >
      <Lines component="ol">
        {all.map((step) => (
          <li key={step.label}>
            <StepLine step={step} isNext={step === next} />
          </li>
        ))}
      </Lines>
    </Section>
  );
};

const StepLine = ({ step: { label, why, done, to }, isNext }: { step: Step; isNext: boolean }) => {
  const words = (
    <>
      {done ? (
        <IconCircleCheck size={18} role="img" aria-label="Done:" color={toneColor('good')} />
      ) : (
        <IconCircle size={18} role="img" aria-label="To do:" color={toneColor('quiet')} />
      )}
      <span className={classes.what}>
        <strong>{label}</strong> <span>{why}</span>
      </span>
      {isNext && <LineAction label="Start" icon={IconArrowRight} />}
    </>
  );
  return done || to === undefined ? (
    <div className={classes.line} data-tone={done ? 'good' : 'quiet'}>
      {words}
    </div>
  ) : (
    <Link to={to} className={classes.line} data-tone="quiet">
      {words}
    </Link>
  );
};
