/**
 * The activity log of the SSL monitor, inside the output of its run. Each line starts with its level, so a recorded run
 * shows the same log as a live one.
 */
export const sslLogLevels = ['info', 'success', 'warning', 'error'] as const;
export type SslLogLevel = (typeof sslLogLevels)[number];

export interface SslLogLine {
  level: SslLogLevel;
  text: string;
}

/**
 * @param text line breaks and control characters become spaces
 * @returns `[warning] Failed to check SSL for example.org`, without the line end
 */
export const logLine = (level: SslLogLevel, text: string): string =>
  `[${level}] ${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()}`;

/** @param line without its line end. A line without a level, as other programs print it, is information. */
export const parseLogLine = (line: string): SslLogLine => {
  const match = /^\[(info|success|warning|error)\] (.*)$/.exec(line);
  return match ? { level: match[1] as SslLogLevel, text: match[2] ?? '' } : { level: 'info', text: line };
};
