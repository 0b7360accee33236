/** The time that decides which notifications are due: it advances to each moment at which that changes. */
import { useEffect, useState } from 'react';
import { useAsOfNow } from '../../core/as-of/clock';

/** Timers of browsers cannot wait longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** @param edges times at which something changes, in milliseconds since 1970, in their order */
export const useClock = (edges: readonly number[]): number => {
  const past = useAsOfNow();
  const [now, setNow] = useState(Date.now);
  const next = edges.find((edge) => edge > now);
  useEffect(() => {
    if (next === undefined) return undefined;
    const wait = Math.min(LONGEST_MS, Math.max(0, next - Date.now()));
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
    // A timer that ends a millisecond early sets another `now`, and waits again.
  }, [next, now]);
  return past === undefined || Number.isNaN(past) ? now : past;
};
