/** Content of the bar that says which instant is shown, with controls to choose another and to return to now. */
import { Box, Button, Group } from '@mantine/core';
import { instants as instantCalls } from '@quarterdeck/contract';
import { IconArrowBack, IconChevronLeft, IconChevronRight, IconHistory } from '@tabler/icons-react';
import type { InstantEvent } from '@quarterdeck/projections';
import { useState, type FormEvent } from 'react';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useAnswer } from '../../core/calls';
import styles from './as-of.module.css';
import { useActorName } from '../../records/actor';
import { sentenceOf, subjectName } from '../../records/history/event-words';
import { Action } from '../../ui/Action';
import { fromLocalInput } from '../../ui/local-time';
import { refusedInstant } from '../../ui/refused-instant';
import { TIME_ZONE } from '../../ui/time-zone';
import { absoluteTime } from '../../ui/RelativeTime';
import { TimeSlider } from './TimeSlider';
import { agoes, before } from '../../core/as-of/agoes';
import { useAsOf, useTravel } from '../../core/as-of/as-of-state';
import look from '../../ui/look.module.css';
import { Dim } from '../../ui/Note';

/** Not a position of the log. */
const isTime = (at: string): boolean => !/^\d+$/.test(at);

export function AsOfBar() {
  const at = useAsOf();
  const travel = useTravel();
  const line = useAnswer(instantCalls.timeline, {});
  const {
    data: instant,
    error,
    isFetching,
  } = useAnswer(instantCalls.detail, at === undefined ? skipToken : { at });
  // In the present, one step back is the instant before the newest event.
  const newest = line.data?.stretches.at(-1)?.position;
  const { data: last } = useAnswer(
    instantCalls.detail,
    at === undefined && newest ? { at: newest } : skipToken,
  );
  const first = line.data?.stretches[0];
  const isTooEarly =
    error !== undefined && at !== undefined && isTime(at) && first !== undefined && at < first.at;
  const next = isTooEarly ? first.position : instant?.next;
  const previous = at === undefined ? last?.previous : instant?.previous;
  return (
    <>
      <Group justify="space-between" gap="4px 16px">
        {at === undefined ? (
          <Box component="p" flex="1 1 320px" m={0}>
            Choose an instant: the whole console shows the state at that time. How it was{' '}
            {agoes.map(({ words, ms }) => (
              <Button key={words} variant="subtle" onClick={() => travel(before(ms))}>
                {words} ago
              </Button>
            ))}
          </Box>
        ) : (
          <Box component="p" className={look.wrap} flex="1 1 320px" miw={0} m={0} role="status">
            <IconHistory size={16} aria-hidden />
            {error && 'msg' in error ? (
              <strong>{refusedInstant(error) ?? error.msg}</strong>
            ) : instant ? (
              <>
                <strong>The console as it was on {absoluteTime(instant.at)}.</strong>{' '}
                {instant.event && <Last event={instant.event} />} Read-only.
              </>
            ) : (
              <strong>The past</strong>
            )}
          </Box>
        )}
        <Group gap={6}>
          <Exactly onChoose={travel} />
          <Action
            icon={IconChevronLeft}
            variant="default"
            disabled={previous === undefined || isFetching}
            does={() => travel(previous)}
          >
            Earlier
          </Action>
          {at !== undefined && (
            <Button
              variant="default"
              rightSection={<IconChevronRight size={14} aria-hidden />}
              disabled={next === undefined || isFetching}
              onClick={() => travel(next)}
            >
              Later
            </Button>
          )}
          {at !== undefined && (
            <Action icon={IconArrowBack} does={() => travel(undefined)}>
              Back to now
            </Action>
          )}
        </Group>
      </Group>
      {line.data ? (
        <TimeSlider
          line={line.data}
          at={at === undefined ? undefined : isTooEarly ? first.at : instant?.at}
          onChoose={travel}
        />
      ) : (
        // Reserves the height, so that the page does not jump when the timeline loads.
        <Box pos="relative" mih={58} mt={8} />
      )}
    </>
  );
}

/** The last event before the instant, with both its actor and its subject. */
const Last = ({ event }: { event: InstantEvent }) => {
  const nameOf = useActorName();
  const subject = subjectName(event, nameOf);
  const words = sentenceOf(event, nameOf).replace(/\.$/, '');
  return (
    <span>
      Last event: {words}
      {words.includes(subject) ? '' : ` (${subject})`}.{' '}
    </span>
  );
};

/** Form to enter an exact date and time. */
const Exactly = ({ onChoose }: { onChoose: (at: string) => void }) => {
  const [typed, setTyped] = useState('');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const at = fromLocalInput(typed);
    if (at !== undefined) onChoose(at);
  };
  return (
    <Group component="form" className={styles.exactly} gap={4} wrap="nowrap" onSubmit={onSubmit}>
      <input
        type="datetime-local"
        step={1}
        value={typed}
        aria-label={`Day and time, ${TIME_ZONE}`}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Dim fz={12}>{TIME_ZONE}</Dim>
      <Button type="submit" variant="default" disabled={fromLocalInput(typed) === undefined}>
        Go
      </Button>
    </Group>
  );
};
