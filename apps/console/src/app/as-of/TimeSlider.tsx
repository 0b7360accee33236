/** The history as a timeline with marks; arrow keys move from mark to mark. */
import { Box } from '@mantine/core';
import type { InstantTimeline } from '@quarterdeck/projections';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import styles from './as-of.module.css';
import { absoluteTime, shortTime } from '../../ui/RelativeTime';
import { markBy, markOn, marksOf, stepOf, STEPS, type Mark } from './timeline-places';

interface TimeSliderProps {
  line: InstantTimeline;
  /** ISO timestamp; undefined for now. */
  at: string | undefined;
  /** Called with a log position, or undefined for now. */
  onChoose: (position: string | undefined) => void;
}

/** While the slider moves, only positions where it rests for this long are reported. */
const REST_MS = 250;
const FAR = 10;

const keys: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -FAR,
  PageUp: FAR,
};

export function TimeSlider({ line, at, onChoose }: TimeSliderProps) {
  const marks = useMemo(() => marksOf(line), [line]);
  const [step, setStep] = useState(() => stepOf(line, at));
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // While the slider moves, new events do not change its position.
    if (rest.current === undefined) setStep(stepOf(line, at));
  }, [line, at]);
  useEffect(() => () => clearTimeout(rest.current), []);

  const choose = (mark: Mark | undefined): void => {
    setStep(mark?.step ?? STEPS);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      rest.current = undefined;
      onChoose(mark?.stretch.position);
    }, REST_MS);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = keys[event.key];
    if (by !== undefined) choose(markOn(marks, step, by));
    else if (event.key === 'Home') choose(marks[0]);
    else if (event.key === 'End') choose(undefined);
    else return;
    event.preventDefault();
  };
  const here = step >= STEPS ? undefined : markBy(marks, step);
  // At rest, shows the instant itself; while moving, the mark that it would choose.
  const resting = at !== undefined && step === stepOf(line, at);
  const words = resting ? absoluteTime(at) : here && absoluteTime(here.stretch.at);
  return (
    <Box pos="relative" mih={58} mt={8}>
      <svg className={styles.marks} viewBox={`0 0 ${STEPS} 24`} preserveAspectRatio="none" aria-hidden>
        {marks.map(({ step: x, height, stretch }) => (
          <line key={stretch.position} x1={x} x2={x} y1={24} y2={24 - Math.max(4, height * 24)} />
        ))}
      </svg>
      <input
        type="range"
        className={styles.range}
        min={0}
        max={STEPS}
        value={step}
        aria-label="Instant"
        aria-valuetext={resting ? words : here ? `${words}, ${here.stretch.events} events` : 'Now'}
        onChange={(event) => {
          const wanted = Number(event.currentTarget.value);
          choose(wanted >= STEPS ? undefined : markBy(marks, wanted));
        }}
        onKeyDown={onKeyDown}
      />
      <div className={styles.ends} aria-hidden>
        <span>{shortTime(line.from)}</span>
        <span>{words ?? `${line.events.toLocaleString('en')} events`}</span>
        <span>Now</span>
      </div>
    </Box>
  );
}
