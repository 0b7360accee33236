/** When a certificate ends, in days and on a bar. */
import { daysFor, daysUntil, type Lifetime } from '@quarterdeck/projections';
import { DaysBar } from '../../ui/DaysBar';
import type { Tone } from '../../ui/tone';
import { useExpiringDays } from '../../records/verdicts';
import { daysInWords } from './domain-words';

interface EndsProps {
  of: Lifetime;
  now: number;
  /** Derived from the days left by default. */
  tone?: Tone;
}

export const Ends = ({ of, now, tone }: EndsProps) => {
  const expiringDays = useExpiringDays();
  const { notAfter } = of;
  const days = daysUntil(notAfter, now);
  return (
    <>
      <dt>Days left</dt>
      <dd>
        <DaysBar
          days={days}
          tone={tone ?? (days <= 0 ? 'bad' : days < daysFor(expiringDays, of) ? 'warn' : 'good')}
        />
      </dd>
      <dt>{Date.parse(notAfter) > now ? 'Expires' : 'Expired'}</dt>
      <dd>
        {daysInWords(days)}, on <time dateTime={notAfter}>{notAfter.slice(0, 10)}</time>
      </dd>
    </>
  );
};
