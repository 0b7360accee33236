/** One section of a creation: its form, its run while it is in progress, and what it made. Live for everybody. */
import { Alert, Box, Group } from '@mantine/core';
import { creations, runs } from '@quarterdeck/contract';
import { sectionLabel } from '@quarterdeck/events';
import {
  mayHaveMade,
  namesToType,
  type CreationSectionView,
  type CreationView,
} from '@quarterdeck/projections';
import { IconArrowBackUp, IconCircleCheck, IconCircleDashed, IconReload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { ActionFailure, stepTitle } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { ChosenName } from '../../ui/choice';
import { DataView } from '../../ui/DataView';
import { Facts } from '../../ui/Facts';
import { List } from '../../ui/List';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { placeOf } from './section-place';
import { applied, choicesIn, fieldLabel, fieldNames, fieldText } from './section-words';

interface SectionCardProps {
  creation: CreationView;
  section: CreationSectionView;
  /** It is the last one that made something, and nothing comes after it yet. */
  isUndoable: boolean;
  /** Shown while it is not in progress and not done. */
  form: ReactNode;
}

export const SectionState = ({ state }: Pick<CreationSectionView, 'state'>) => {
  if (state === 'done') return <StateBadge state="done" tone="good" icon={IconCircleCheck} />;
  if (state === 'idle') return <StateBadge state="not done" tone="quiet" icon={IconCircleDashed} />;
  if (state === 'undoing') return <StateBadge state="running" label="being undone" />;
  return <StateBadge state={state} {...(state === 'running' && { label: 'in progress' })} />;
};

export const SectionCard = ({ creation, section, isUndoable, form }: SectionCardProps) => {
  const { section: name, state, reason, by, at } = section;
  const isBusy = state === 'running' || state === 'undoing';
  const run = state === 'undoing' ? section.undoRun : section.run;
  const mustDecide = state === 'failed' && mayHaveMade(section);
  return (
    <Card
      title={
        <Group gap={12} component="span">
          {sectionLabel(name)} <SectionState state={state} />
        </Group>
      }
      aria-label={sectionLabel(name)}
      id={placeOf(name)}
      tabIndex={-1}
      actions={
        by !== undefined &&
        at !== undefined && (
          <Box component="span" c="dimmed" fz="sm">
            <By id={by} at={at} />
          </Box>
        )
      }
    >
      {state === 'failed' && reason !== undefined && (
        <Alert color="red" variant="light" mb={12} title={`${sectionLabel(name)} failed`}>
          {reason}
          {run !== undefined && (
            <>
              {' '}
              <Link to={paths.run(run)}>Open run</Link>
            </>
          )}
        </Alert>
      )}
      {isBusy && run !== undefined && <Steps run={run} />}
      {(state === 'done' || isBusy || mustDecide) && <Entered section={section} />}
      {!isBusy && state !== 'done' && !mustDecide && form}
      {(mustDecide || isUndoable) && (
        <Decide creation={creation} section={section} isUndoable={isUndoable} mayRetry={mustDecide} />
      )}
    </Card>
  );
};

const WORDS: Readonly<Record<string, string>> = {
  client: 'client service',
  clouddatabase: 'cloud database',
  deploy: 'deploy of',
};
const wordOf = (kind: string): string => WORDS[kind] ?? kind;

/** A section that is done is read-only. */
const Entered = ({ section: { section, secrets, made, ...one } }: { section: CreationSectionView }) => {
  const values = applied(section, one.values ?? {});
  const order = fieldNames(section);
  const entered = Object.keys(values).toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const facts = [
    ...entered.map(
      (name) =>
        [
          fieldLabel(section, name),
          <Value key={name} section={section} name={name} value={values[name]} />,
        ] as const,
    ),
    ...secrets.map((name) => [fieldLabel(section, name), 'Set'] as const),
    ...(made.length > 0
      ? [['Made', made.map((one) => `${wordOf(one.kind)} ${one.name}`).join(', ')] as const]
      : []),
  ];
  return facts.length > 0 ? <Facts facts={facts} /> : null;
};

interface ValueProps {
  section: string;
  name: string;
  value: unknown;
}

/** What was chosen has a name, which may have changed since. */
const Value = ({ section, name, value }: ValueProps) => {
  const from = choicesIn(section, name);
  const id = (value as { id?: unknown } | null)?.id;
  return from && typeof id === 'string' ? (
    <ChosenName from={from} id={id} />
  ) : (
    <>{fieldText(section, name, value)}</>
  );
};

const Steps = ({ run }: { run: string }) => {
  const query = useAnswer(runs.detail, { id: run });
  return (
    <DataView query={query} what="Run" error={() => <p role="status">The run begins…</p>}>
      {(view) => (
        <Box mb={12} role="status">
          <List component="ol" gap={6} aria-label="Steps">
            {view.steps.map((step) => (
              <li key={`${step.step}/${step.attempt}`}>
                <StateBadge state={step.state} /> {stepTitle(view.kind, step)}
              </li>
            ))}
          </List>
          <Link to={paths.run(run)}>Open run</Link>
        </Box>
      )}
    </DataView>
  );
};

interface DecideProps {
  creation: CreationView;
  section: CreationSectionView;
  isUndoable: boolean;
  mayRetry: boolean;
}

const Decide = ({ creation: { id }, section, isUndoable, mayRetry }: DecideProps) => {
  const { section: name, made } = section;
  const [retry] = useChange(creations.retry);
  const [undo] = useChange(creations.undo);
  const { act, busy, failure, dismiss } = useAction();
  const label = sectionLabel(name);
  const names = made.map((one) => `${wordOf(one.kind)} ${one.name}`);
  // Its content goes, too.
  const [typed] = namesToType(section);
  const isLost = typed !== undefined && names.length === 0;
  const consequence =
    names.length > 0
      ? `This removes ${names.toReversed().join(', ')}. What was changed by somebody else stays.`
      : isLost
        ? `The answer of the provider was lost. If ${typed} exists there, it is deleted with its content.`
        : `${label} can be filled in again afterwards.`;
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DisabledInPast>
        <Group gap="xs" mt={12}>
          {mayRetry && (
            <Action
              icon={IconReload}
              loading={busy}
              does={() =>
                act({
                  send: () => retry({ id, section: name as never }).unwrap(),
                  failed: `${label} could not be retried`,
                })
              }
            >
              Retry
            </Action>
          )}
          {isUndoable && (
            <Action
              icon={IconArrowBackUp}
              variant="default"
              loading={busy}
              does={() =>
                act({
                  ask: {
                    title: `Undo ${label}?`,
                    body: consequence,
                    confirmLabel: `Undo ${label}`,
                    danger: names.length > 0 || typed !== undefined,
                    ...(typed !== undefined && { typeToConfirm: typed }),
                  },
                  send: (confirmed) =>
                    undo({
                      id,
                      section: name as never,
                      ...(typed !== undefined && { name: confirmed }),
                    }).unwrap(),
                  failed: `${label} could not be undone`,
                })
              }
            >
              Undo {label}
            </Action>
          )}
        </Group>
      </DisabledInPast>
    </>
  );
};
