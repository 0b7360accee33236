/** Publishes the draft, and shows what keeps it from being published. */
import { Button, Group } from '@mantine/core';
import { workflows } from '@quarterdeck/contract';
import type { WorkflowFinding } from '@quarterdeck/events';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUpload } from '@tabler/icons-react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { ActionFailure } from '../../records/runs';
import { Lines } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { StateBadge } from '../../ui/StateBadge';
import { toneColor } from '../../ui/tone';
import { useAction } from '../../ui/use-action';
import type { Draft } from './use-draft';
import { useUnpublished } from './use-unpublished';
import styles from './workflows.module.css';

interface PublishBarProps {
  workflow: string;
  draft: Draft;
  /** Undefined until the draft was checked. */
  findings: readonly WorkflowFinding[] | undefined;
  show: (part: string) => void;
}

const wordsOf = (isReady: boolean, isSame: boolean, next: number): string => {
  if (!isReady) return 'Publish';
  return isSame ? `Version ${next - 1} is published` : `Publish version ${next}`;
};

const counted = (count: number): string => `${count} ${count === 1 ? 'problem keeps' : 'problems keep'}`;

export const PublishBar = ({ workflow, draft, findings: found, show }: PublishBarProps) => {
  const { newest, isKnown, changes } = useUnpublished(workflow);
  const [publish] = useChange(workflows.publish);
  const { act, busy, failure, dismiss } = useAction();
  const findings = found ?? [];
  const problems = findings.filter(({ severity }) => severity === 'problem');
  // Nothing is said or offered before the versions and the check have come.
  const isReady = isKnown && changes !== undefined && found !== undefined;
  const isSame = newest !== undefined && changes?.length === 0;
  const next = (newest ?? 0) + 1;
  const onPublish = () =>
    act({
      send: () => publish({ id: workflow }).unwrap(),
      done: `Version ${next} was published.`,
      failed: 'Nothing was published',
    });
  if (draft.nodes.length === 0) return null;
  return (
    <section aria-label="Publish">
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group gap={12}>
        <DisabledInPast>
          <Button
            leftSection={<IconUpload size={16} aria-hidden />}
            loading={busy}
            disabled={!isReady || problems.length > 0 || isSame}
            onClick={() => void onPublish()}
          >
            {wordsOf(isReady, isSame, next)}
          </Button>
        </DisabledInPast>
        <span role="status">
          {found === undefined ? (
            <Dim>Checking the draft…</Dim>
          ) : problems.length > 0 ? (
            <StateBadge
              state={`${counted(problems.length)} it from being published`}
              tone="bad"
              icon={IconAlertTriangle}
            />
          ) : (
            <StateBadge state="no problems" tone="good" icon={IconCircleCheck} />
          )}
        </span>
      </Group>
      {findings.length > 0 && (
        <Lines aria-label="Findings" mt={12}>
          {findings.map((finding) => (
            <Finding key={JSON.stringify(finding)} finding={finding} show={show} />
          ))}
        </Lines>
      )}
    </section>
  );
};

const Finding = ({ finding, show }: { finding: WorkflowFinding; show: (part: string) => void }) => {
  const { severity, node, transition, says } = finding;
  const part = node ?? transition;
  const isProblem = severity === 'problem';
  const Shape = isProblem ? IconAlertTriangle : IconInfoCircle;
  return (
    <li className={styles.finding}>
      <Shape
        size={16}
        color={toneColor(isProblem ? 'bad' : 'info')}
        role="img"
        aria-label={isProblem ? 'Problem' : 'Notice'}
      />
      <span>{says.charAt(0).toUpperCase() + says.slice(1)}.</span>
      {part !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Open ${node === undefined ? 'transition' : 'node'}: ${says}`}
          onClick={() => show(part)}
        >
          Open
        </Button>
      )}
    </li>
  );
};

/** Findings about one node or transition that belong to no field of its form. */
export const FindingNotes = ({ findings }: { findings: readonly WorkflowFinding[] }) =>
  findings.map(({ severity, says, field }) => (
    <Note key={`${field} ${says}`} mb={8} c={severity === 'problem' ? 'error' : 'dimmed'} role="note">
      {says.charAt(0).toUpperCase() + says.slice(1)}.
    </Note>
  ));
