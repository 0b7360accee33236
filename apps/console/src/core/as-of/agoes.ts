/** Times that people ask for: how the console was so long ago. */
const MINUTE_MS = 60_000;

export const agoes: readonly { words: string; ms: number }[] = [
  { words: '15 minutes', ms: 15 * MINUTE_MS },
  { words: '1 hour', ms: 60 * MINUTE_MS },
  { words: '1 day', ms: 24 * 60 * MINUTE_MS },
  { words: '1 week', ms: 7 * 24 * 60 * MINUTE_MS },
];

/** @returns the instant `ms` milliseconds ago, as an ISO timestamp */
export const before = (ms: number): string => new Date(Date.now() - ms).toISOString();
