/**
 * The position of a replay. It can be changed with the pointer, the arrow keys, or step by step with Page Up and Page
 * Down.
 */
import type { KeyboardEvent } from 'react';
import type { Player } from './player';
import classes from './replay.module.css';
import { clockTime, toPlayed } from './replay-clock';
import { usePlayed } from './use-player';
import { toneColor } from '../../../ui/tone';

export interface TimelineStep {
  /** Recorded time of its start. */
  from: number;
  label: string;
  tone: 'good' | 'bad' | 'warn' | 'quiet';
}

const KEY_SECONDS = 5;

export const ReplayTimeline = ({ player, steps }: { player: Player; steps: readonly TimelineStep[] }) => {
  const played = usePlayed(player, (it) => it.played) ?? 0;
  // `skipIdle` changes the timeline, so re-render when it does.
  usePlayed(player, (it) => it.skipIdle);
  const { timeline } = player;
  const { length } = timeline;
  const share = (at: number): string => `${(length === 0 ? 1 : at / length) * 100}%`;
  const begins = steps.map(({ from }) => toPlayed(timeline, from));
  const current = steps[begins.findLastIndex((begin) => begin <= played)];

  const onKeyDown = (event: KeyboardEvent) => {
    const by = KEY_SECONDS * 1000;
    const to = {
      ArrowLeft: played - by,
      ArrowDown: played - by,
      ArrowRight: played + by,
      ArrowUp: played + by,
      Home: 0,
      End: length,
      // Half a second of grace, so that pressing it twice during playback goes to the previous step.
      PageUp: begins.findLast((begin) => begin < played - 500) ?? 0,
      PageDown: begins.find((begin) => begin > played) ?? length,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    player.seekPlayed(to);
  };

  return (
    <div className={classes.timeline}>
      <div className={classes.steps} aria-hidden>
        {steps.map(({ from, label, tone }, index) => (
          <span
            key={`${from} ${label}`}
            className={classes.step}
            data-tone={tone}
            style={{
              borderColor: toneColor(tone),
              ...(tone !== 'good' && { color: toneColor(tone) }),
              left: share(begins[index] ?? 0),
              width: share((begins[index + 1] ?? length) - (begins[index] ?? 0)),
            }}
          >
            {label}
          </span>
        ))}
      </div>
      <div className={classes.track} aria-hidden>
        <span className={classes.played} style={{ width: share(played) }} />
        {timeline.pauses.map(({ from, to, playedFrom }) => (
          <span
            key={from}
            className={classes.pause}
            style={{
              left: share(playedFrom),
              width: share(toPlayed(timeline, to) - playedFrom),
            }}
          />
        ))}
      </div>
      <input
        type="range"
        className={classes.slider}
        aria-label="Position in the run"
        aria-valuetext={`${clockTime(player.recorded)} of ${clockTime(timeline.durationMs)}${current ? `, ${current.label}` : ''}`}
        min={0}
        max={length}
        step="any"
        value={played}
        onChange={({ currentTarget }) => player.seekPlayed(Number(currentTarget.value))}
        onKeyDown={onKeyDown}
      />
    </div>
  );
};
