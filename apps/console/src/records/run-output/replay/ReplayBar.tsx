/** Play, pause, speed and the timeline of a recorded output. */
import { ActionIcon, Button, Checkbox, Group, NativeSelect, Tooltip } from '@mantine/core';
import { IconCheck, IconLink, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { absoluteTime } from '../../../ui/RelativeTime';
import { copyToClipboard, NOT_COPIED } from '../../../ui/copying';
import type { Player } from './player';
import classes from './replay.module.css';
import { clockTime, speeds, timeParam, type Speed } from './replay-clock';
import { ReplayTimeline, type TimelineStep } from './ReplayTimeline';
import { usePlayed } from './use-player';

export interface ReplayBarProps {
  player: Player;
  steps: readonly TimelineStep[];
  setSpeed: (speed: Speed) => void;
  setSkipIdle: (skip: boolean) => void;
}

const words = (speed: Speed): string => (speed === 'max' ? 'Max speed' : `${speed}×`);

export const ReplayBar = ({ player, steps, setSpeed, setSkipIdle }: ReplayBarProps) => {
  const playing = usePlayed(player, ({ playing }) => playing) ?? false;
  const speed = usePlayed(player, (it) => it.speed) ?? 1;
  const skipIdle = usePlayed(player, (it) => it.skipIdle) ?? true;
  const pauses = usePlayed(player, ({ timeline }) => timeline.pauses.length) ?? 0;

  const onKeyDown = (event: KeyboardEvent) => {
    // A focused control handles the space bar itself.
    if (event.key !== ' ' || (event.target as HTMLElement).closest('button, select, [type=checkbox]')) return;
    event.preventDefault();
    player.toggle();
  };

  return (
    <div className={classes.bar} role="group" aria-label="Replay" onKeyDown={onKeyDown}>
      <Tooltip label={playing ? 'Pause' : 'Play'}>
        <ActionIcon
          variant="filled"
          size="lg"
          radius="xl"
          aria-label={playing ? 'Pause' : 'Play'}
          onClick={() => player.toggle()}
        >
          {playing ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
        </ActionIcon>
      </Tooltip>
      <ReplayTimeline player={player} steps={steps} />
      <Group className={classes.settings} gap="4px 16px">
        <Clock player={player} />
        <NativeSelect
          size="xs"
          aria-label="Speed"
          value={String(speed)}
          data={speeds.map((one) => ({ value: String(one), label: words(one) }))}
          onChange={({ currentTarget }) =>
            setSpeed(speeds.find((one) => String(one) === currentTarget.value) ?? 1)
          }
        />
        <Tooltip label="Pauses of more than 2 s are played as 2 s" openDelay={300}>
          <div>
            <Checkbox
              size="xs"
              label="Skip idle"
              checked={skipIdle}
              onChange={({ currentTarget }) => setSkipIdle(currentTarget.checked)}
              aria-description={
                pauses > 0 ? `${pauses} ${pauses === 1 ? 'pause is' : 'pauses are'} shortened` : undefined
              }
            />
          </div>
        </Tooltip>
        <CopyMoment player={player} />
      </Group>
    </div>
  );
};

const Clock = ({ player }: { player: Player }) => {
  const now = usePlayed(player, ({ recorded }) => clockTime(recorded)) ?? '';
  const second = usePlayed(player, ({ instant }) => Math.floor(instant / 1000)) ?? 0;
  return (
    <Tooltip label={absoluteTime(new Date(second * 1000).toISOString())} openDelay={200}>
      <span className={classes.clock}>
        <time>{now}</time> / {clockTime(player.timeline.durationMs)}
      </span>
    </Tooltip>
  );
};

const CopyMoment = ({ player }: { player: Player }) => {
  const [copied, setCopied] = useState<boolean>();
  const copy = async () => {
    const { origin, pathname } = window.location;
    setCopied(await copyToClipboard(`${origin}${pathname}?t=${timeParam(player.recorded)}`));
  };
  return (
    <>
      <span role="status">{copied === false && NOT_COPIED}</span>
      <Button
        variant="subtle"
        color="gray"
        leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconLink size={15} aria-hidden />}
        onClick={() => void copy()}
        onBlur={() => setCopied(undefined)}
      >
        {copied ? 'copied' : 'Link to this second'}
      </Button>
    </>
  );
};
