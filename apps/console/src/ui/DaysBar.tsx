import { Group } from '@mantine/core';
import look from './look.module.css';
import { type Tone, toneColor } from './tone';

/** Number of days for a full bar: the usual lifetime of a certificate. */
const WHOLE_DAYS = 90;
interface DaysBarProps {
  days: number;
  /** Tone of the verdict, not of the days: a certificate with the wrong name is bad, however many days are left. */
  tone: Tone;
}

/** Days left, as a number and as a bar. */
export const DaysBar = ({ days, tone }: DaysBarProps) => (
  <Group component="span" display="inline-flex" gap={8} wrap="nowrap" data-tone={tone}>
    <svg
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden
      width={56}
      height={6}
      className={look.meter}
    >
      <rect width={Math.min(Math.max((days / WHOLE_DAYS) * 100, 0), 100)} height="6" fill={toneColor(tone)} />
    </svg>
    {/* In the last hours, less than one day is left. */}
    {days === 0 ? '< 1' : days}
  </Group>
);
