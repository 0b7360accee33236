/** The steps of an instance to go back and forth in, by mouse and by keyboard. */
import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerTrackNext } from '@tabler/icons-react';
import type { WorkflowInstanceDetail } from '@quarterdeck/contract';
import { useEffect, useRef } from 'react';
import { Note } from '../../ui/Note';
import { toneColor } from '../../ui/tone';
import { isEnded, markOf, markOfEnd } from './workflow-words';
import styles from './workflows.module.css';

interface TimelineProps {
  instance: Pick<WorkflowInstanceDetail, 'states' | 'is'>;
  step: number | undefined;
  onStep: (step: number | undefined) => void;
}

export const Timeline = ({ instance, step, onStep }: TimelineProps) => {
  const { states } = instance;
  const last = states.length;
  const at = step ?? last;
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  if (last === 0) return <Note>It has not entered a node yet.</Note>;
  const now = isEnded(instance) ? 'End' : 'Now';
  const nameAt = (number: number): string => states[number - 1]?.node.name ?? '';
  return (
    <section aria-label="Timeline">
      <Group gap={8} wrap="nowrap" mb={8}>
        <Button
          variant="default"
          aria-label="Step before"
          disabled={at <= 1}
          onClick={() => onStep(at - 1)}
          px={8}
        >
          <IconChevronLeft size={16} aria-hidden />
        </Button>
        <input
          type="range"
          className={styles.scrub}
          aria-label="Step"
          aria-valuetext={`${at} of ${last}: ${nameAt(at)}`}
          min={1}
          max={Math.max(1, last)}
          value={at}
          onChange={({ currentTarget }) => onStep(Number(currentTarget.value))}
        />
        <Button
          variant="default"
          aria-label="Step after"
          disabled={at >= last}
          onClick={() => onStep(at + 1)}
          px={8}
        >
          <IconChevronRight size={16} aria-hidden />
        </Button>
        <Button
          variant={step === undefined ? 'filled' : 'default'}
          leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
          aria-pressed={step === undefined}
          onClick={() => onStep(undefined)}
          style={{ flex: 'none' }}
        >
          {now}
        </Button>
      </Group>
      <div className={styles.steps} role="group" aria-label="Steps">
        {states.map((state, index) => {
          const mark = state.end === undefined ? markOf(instance.is) : markOfEnd(state.end);
          return (
            <button
              key={state.id}
              type="button"
              className={styles.step}
              aria-pressed={index + 1 === at}
              aria-label={`Step ${index + 1}: ${state.node.name}, ${mark.word}`}
              title={`${state.node.name}: ${mark.word}`}
              {...(index + 1 === at && { ref: chosen })}
              onClick={() => onStep(index + 1)}
            >
              <mark.icon size={14} aria-hidden color={toneColor(mark.tone)} />
              <span>{state.node.name}</span>
            </button>
          );
        })}
      </div>
    </section>
  );
};
