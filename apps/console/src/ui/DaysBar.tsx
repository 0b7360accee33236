import type { Tone } from './StateBadge';
import classes from './DaysBar.module.css';

/** A certificate of the usual length is a whole bar. */
const WHOLE_DAYS = 90;
interface DaysBarProps {
  days: number;
  /** Of the verdict beside it: many days are no good news about a certificate for another name. */
  tone: Tone;
}

/** Days left, as a number and as a bar. */
export const DaysBar = ({ days, tone }: DaysBarProps) => (
  <span className={classes.days} data-tone={tone}>
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden className={classes.bar}>
      <rect width={Math.min(Math.max((days / WHOLE_DAYS) * 100, 0), 100)} height="6" />
    </svg>
    {/* In the last hours there is time left, if not a whole day. */}
    {days === 0 ? '< 1' : days}
  </span>
);
