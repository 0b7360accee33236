import { spanInWords } from '@quarterdeck/projections';
import { useEffect, useState } from 'react';
import { useAsOfNow } from '../core/as-of/clock';
import { Hint } from './Hint';
import { usePrinting } from './printing';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const short = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** For places without room for the year and the seconds. */
export const shortTime = (instant: string): string => short.format(new Date(instant));

export const timeInWords = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (Math.abs(seconds) < 45) return seconds > 5 ? 'in a moment' : 'just now';
  // Rounded before the unit is chosen; otherwise 59.6 minutes would become "60 minutes ago".
  const fits = ([, size]: (typeof units)[number], at: number): boolean => {
    const finer = units[at + 1]?.[1] ?? 1;
    return Math.round(Math.abs(seconds) / finer) * finer >= size;
  };
  const [unit, size] = units.find(fits) ?? ['minute', 60];
  return relative.format(Math.round(seconds / size) || Math.sign(seconds), unit);
};

export const absoluteTime = (at: string): string => {
  const time = Date.parse(at);
  return Number.isNaN(time) ? '' : absolute.format(time);
};

export const durationInWords = (ms: number): string => {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  // Rounded before dividing; otherwise 119.6 s would become "1 min 60 s".
  const whole = Math.round(ms / 1000);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const seconds = whole % 60;
  return minutes < 60 ? `${minutes} min ${seconds} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** One timer updates all times on the page, and runs while there are any. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const listen = (tell: () => void): (() => void) => {
  listeners.add(tell);
  timer ??= setInterval(() => listeners.forEach((one) => one()), 30_000);
  return () => {
    listeners.delete(tell);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

const lastedInWords = (since: string, now = Date.now()): string => spanInWords(now - Date.parse(since));

/** `for 3 min`: how long a state has lasted. */
export function For({ since }: { since: string }) {
  const past = useAsOfNow();
  const printing = usePrinting();
  const [, tick] = useState(0);
  useEffect(() => listen(() => tick((n) => n + 1)), []);
  return (
    <Hint label={`since ${absoluteTime(since)}`} openDelay={200}>
      <time dateTime={since}>
        {printing ? `since ${absoluteTime(since)}` : `for ${lastedInWords(since, past)}`}
      </time>
    </Hint>
  );
}

/** Time relative to now or to the chosen instant; absolute on paper, and until the time of that instant is known. */
export function RelativeTime({ at }: { at: string | undefined }) {
  const past = useAsOfNow();
  const printing = usePrinting();
  const [, tick] = useState(0);
  useEffect(() => listen(() => tick((n) => n + 1)), []);
  if (!at) return <span>never</span>;
  return (
    <Hint label={absoluteTime(at)} openDelay={200}>
      <time dateTime={at}>{(!printing && timeInWords(at, past)) || absoluteTime(at)}</time>
    </Hint>
  );
}
