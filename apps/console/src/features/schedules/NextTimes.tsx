/** A cron expression in words, and its next five times on the clocks of its zone and of the reader. */
import { useDebouncedValue } from '@mantine/hooks';
import { Box } from '@mantine/core';
import { schedules } from '@quarterdeck/contract';
import { useSyncExternalStore } from 'react';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import type { Checking } from '../../records/kit';
import { Title } from '../../ui/heading';
import { Bullets } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { TIME_ZONE } from '../../ui/time-zone';
import { timeIn, zoneOf } from './schedule-words';

const PAUSE_MS = 300;

interface Times {
  times: string;
  zone: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Below the form: explains what is typed. */
export const explainsDraft: Checking = (draft, _id, follow) => <DraftTimes draft={draft} follow={follow} />;

const DraftTimes = ({
  draft,
  follow,
}: {
  draft: Parameters<Checking>[0];
  follow: Parameters<Checking>[2];
}) => {
  const values = useSyncExternalStore(follow, draft);
  const [times, zone] = [textOf(values['times']), textOf(values['zone'])];
  const [paused] = useDebouncedValue(JSON.stringify({ times, zone }), PAUSE_MS);
  const asked = JSON.parse(paused) as Times;
  return <NextTimes {...asked} isTyped />;
};

export const NextTimes = ({ times, zone, isTyped = false }: Times & { isTyped?: boolean }) => {
  const inPast = useAsOf() !== undefined;
  const { currentData: found, error } = useAnswer(
    schedules.explain,
    { times, zone },
    { skip: inPast || times === '' },
  );
  if (inPast) return null;
  const place = zoneOf({ zone });
  return (
    <Box component="section" aria-label="Next times" mt={24}>
      <Title least={2} mb={8}>
        Next times
      </Title>
      <div role="status">
        {times === '' && isTyped && <Note>They are shown here when the times are typed.</Note>}
        {error && <Note>{error.data?.['times'] ?? error.data?.['zone'] ?? error.msg}</Note>}
        {found && (
          <p>
            <b>{found.words}</b> <Dim>on the clocks of {place}</Dim>
          </p>
        )}
      </div>
      {found && (
        <Bullets component="ol" aria-label="Next five times">
          {found.next.map((at) => (
            <li key={at}>
              {timeIn(place, at)}
              {place !== TIME_ZONE && (
                <Dim>
                  {' '}
                  · {timeIn(undefined, at)} in {TIME_ZONE}
                </Dim>
              )}
            </li>
          ))}
        </Bullets>
      )}
    </Box>
  );
};
