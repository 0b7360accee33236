import { useEffect, useState } from 'react';
import { useNow, useAsOfNow } from '../../core/as-of/clock';
import { durationInWords } from '../../ui/RelativeTime';

/** How long something has taken: counts while it has no end, and in the past stops at the instant shown. */
export const Elapsed = ({ since, ms }: { since: string | undefined; ms: number | undefined }) => {
  const past = useAsOfNow();
  const [ticked, setNow] = useState(Date.now);
  const now = useNow(ticked);
  const counting = ms === undefined && since !== undefined && past === undefined;
  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [counting]);
  if (ms !== undefined) return <>{durationInWords(ms)}</>;
  if (since === undefined) return <>not started</>;
  // Whole seconds while counting. Not negative, because the clocks of browser and server may differ.
  const seconds = Math.max(0, Math.round((now - Date.parse(since)) / 1000));
  return <>{seconds < 60 ? `${seconds} s` : durationInWords(seconds * 1000)}</>;
};
