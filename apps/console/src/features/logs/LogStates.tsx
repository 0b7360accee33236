/** What each log does at present, and what is missing of it. */
import { Alert, Group } from '@mantine/core';
import type { LogState } from '@quarterdeck/contract';
import { IconBroadcast, IconClockPause, IconPlugOff } from '@tabler/icons-react';
import { Dim } from '../../ui/Note';
import { Refusal } from '../../ui/Refusal';
import { StateBadge } from '../../ui/StateBadge';
import type { ChosenLog, LogProgress } from './use-logs';

const Badge = ({ state }: { state: LogState | undefined }) => {
  switch (state?.is) {
    case undefined:
    case 'connecting':
      return <StateBadge state="running" label="connecting" />;
    case 'live':
      return <StateBadge state="live" tone="good" icon={IconBroadcast} label="live" />;
    case 'waiting':
      return <StateBadge state="waiting" tone="warn" icon={IconClockPause} label="waiting" />;
    case 'ended':
      return <StateBadge state="ended" tone="bad" icon={IconPlugOff} label="not followed" />;
  }
};

const wordsOf = (state: LogState | undefined): string | undefined => {
  if (state?.is === 'waiting' || state?.is === 'ended') return state.says;
  return state?.is === 'live' ? state.name : undefined;
};

interface LogStatesProps {
  chosen: readonly ChosenLog[];
  progress: readonly LogProgress[];
  follows: boolean;
}

export const LogStates = ({ chosen, progress, follows }: LogStatesProps) => (
  <>
    {follows && (
      <Group gap="4px 16px" mb={8} role="status" aria-label="Followed logs">
        {chosen.map(({ name }, at) => {
          const words = wordsOf(progress[at]?.state);
          const missed = progress[at]?.missed ?? 0;
          return (
            <Group key={name} gap="0 8px" component="span">
              <span>{name}</span>
              <Badge state={progress[at]?.state} />
              {words !== undefined && words !== name && <Dim>{words}</Dim>}
              {missed > 0 && <Dim>{missed.toLocaleString('en')} lines were too fast for this page</Dim>}
            </Group>
          );
        })}
      </Group>
    )}
    {chosen.map(({ name }, at) => (
      <Refusal key={name} what={`${name} could not be read`} error={progress[at]?.error} />
    ))}
    {chosen.map(({ name }, at) => {
      const left = progress[at]?.left;
      return (
        left !== undefined && (
          <Alert key={name} color="yellow" variant="light" mb={8} p="8px 12px">
            {name}: {left}
          </Alert>
        )
      );
    })}
  </>
);
