/** How serious a line is, as far as it says. Pure. */
import type { LogLevel } from '@quarterdeck/events/inputs';

const words: Readonly<Record<string, LogLevel>> = {
  emerg: 'error',
  emergency: 'error',
  alert: 'error',
  panic: 'error',
  fatal: 'error',
  crit: 'error',
  critical: 'error',
  severe: 'error',
  error: 'error',
  err: 'error',
  eror: 'error',
  warn: 'warning',
  warning: 'warning',
  notice: 'info',
  info: 'info',
  inf: 'info',
  information: 'info',
  log: 'info',
  debug: 'debug',
  dbg: 'debug',
  trace: 'debug',
  verbose: 'debug',
};

const ofWord = (word: string): LogLevel | undefined =>
  Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined;

/** Numbers of pino and bunyan. */
const ofNumber = (level: number): LogLevel => {
  if (level >= 50) return 'error';
  if (level >= 40) return 'warning';
  return level >= 30 ? 'info' : 'debug';
};

/** Of syslog and the journal: 0 is the most serious. */
export const ofPriority = (priority: number): LogLevel => {
  if (priority <= 3) return 'error';
  if (priority === 4) return 'warning';
  return priority <= 6 ? 'info' : 'debug';
};

/** A longer line of JSON is not taken apart. */
const MAX_JSON = 16_384;
const LEVEL_KEYS = ['level', 'severity', 'lvl', 'levelname', 'log.level', '@l'];

const ofJson = (text: string): LogLevel | undefined => {
  if (!text.startsWith('{') || text.length > MAX_JSON) return undefined;
  try {
    const object = JSON.parse(text) as Record<string, unknown>;
    for (const key of LEVEL_KEYS) {
      const value = object[key];
      if (typeof value === 'number') return ofNumber(value);
      if (typeof value === 'string') return ofWord(value);
    }
  } catch {
    // A line that only begins like JSON.
  }
  return undefined;
};

const HEAD = 160;
// oxlint-disable-next-line no-control-regex -- colours are sequences that begin with ESC
const COLOURS = /\x1b\[[0-9;]*m/g;
const WORD = '(emerg|alert|panic|fatal|crit(?:ical)?|severe|err(?:or)?|warn(?:ing)?|notice|info|debug|trace)';
const FORMS = [
  // logfmt, and what is like it
  new RegExp(`(?:^|[\\s,])(?:level|lvl|severity)[=:]\\s?"?${WORD}\\b`, 'i'),
  // nginx: [error]; others: <warn>, (INFO), |ERROR|
  new RegExp(`[[(<|]\\s?${WORD}\\s?[\\])>|]`, 'i'),
  // Upper case as a word of its own, and as the first word with a colon.
  new RegExp(`(?:^|[\\s:])${WORD.toUpperCase()}(?=[\\s:]|$)`),
  new RegExp(`^${WORD}:`, 'i'),
  // klog and glog: E1130 20:45:20.123456
  /^([EWIF])\d{4} \d\d:\d\d:\d\d/,
];
const letters: Readonly<Record<string, LogLevel>> = { E: 'error', F: 'error', W: 'warning', I: 'info' };
/** The status of a line of an access log: "GET / HTTP/1.1" 404 123 */
const STATUS = /" ([1-5])\d\d [\d-]/;

export const levelOf = (text: string): LogLevel => {
  const json = ofJson(text);
  if (json) return json;
  const head = text.slice(0, HEAD).replace(COLOURS, '');
  for (const form of FORMS) {
    const word = form.exec(head)?.[1];
    const level = word && (word.length === 1 ? letters[word] : ofWord(word));
    if (level) return level;
  }
  return 'none';
};

export const levelOfAccess = (text: string): LogLevel => {
  const status = STATUS.exec(text)?.[1];
  if (status === undefined) return levelOf(text);
  if (status === '5') return 'error';
  return status === '4' ? 'warning' : 'info';
};
