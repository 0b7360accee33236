/** A state as shown to operators: a label, and a tone for its severity. Pure. */
export interface Verdict {
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'quiet';
}

const MINUTE_MS = 60_000;

/** A rounded duration: `44 min`, `3 h`, `2 days`. */
export const spanInWords = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
};

/** `unreachable for 44 min` */
export const lasting = (label: string, since: string | undefined, now: number): string =>
  since === undefined ? label : `${label} for ${spanInWords(now - Date.parse(since))}`;
