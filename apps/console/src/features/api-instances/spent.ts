import { durationInWords } from '../../ui/RelativeTime';

/** Milliseconds of one request. */
export const spent = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : durationInWords(ms));
