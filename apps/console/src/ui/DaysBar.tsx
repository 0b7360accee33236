import classes from './DaysBar.module.css';

/** A certificate of the usual length is a whole bar. */
const WHOLE_DAYS = 90;
/** Of the specification: fewer days left than this, and a certificate counts as expiring. */
const EXPIRING_DAYS = 30;

/** Days left, as a number and as a bar. */
export const DaysBar = ({ days, expiringDays = EXPIRING_DAYS }: { days: number; expiringDays?: number }) => {
  const tone = days <= 0 ? 'bad' : days < expiringDays ? 'warn' : 'good';
  return (
    <span className={classes.days} data-tone={tone}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden className={classes.bar}>
        <rect width={Math.min(Math.max((days / WHOLE_DAYS) * 100, 0), 100)} height="6" />
      </svg>
      {days}
    </span>
  );
};
