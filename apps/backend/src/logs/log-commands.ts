/** The scripts that print a log, and what reads their output. Pure. */
import { type ShellCommand, shell } from '../platform/ssh';
import { ContainerParser, FilesParser, JournalParser, PastFilesParser, type LogParser } from './log-parsers';
import followContainer from './shell/follow-container.sh';
import followFiles from './shell/follow-files.sh';
import followUnit from './shell/follow-unit.sh';
import pastContainer from './shell/past-container.sh';
import pastFiles from './shell/past-files.sh';
import pastUnit from './shell/past-unit.sh';

/** A log as its server knows it. */
export type ServerLog =
  | { is: 'container'; container: string; service: string }
  | { is: 'unit'; unit: string }
  /** Without a folder: nginx's own. */
  | { is: 'files'; folder: string; suffix: string };

/** What a follower begins with. */
export const FIRST_LINES = 1000;
const FIRST_BYTES = 256 * 1024;

const scripts = {
  followContainer: shell(followContainer, ['container', 'service', 'known', 'since', 'lines', 'word']),
  followUnit: shell(followUnit, ['unit', 'cursor', 'lines']),
  followFiles: shell(followFiles, ['folder', 'suffix', 'back', 'word']),
  pastContainer: shell(pastContainer, [
    'container',
    'service',
    'since',
    'until',
    'lines',
    'search',
    'any_case',
    'max_bytes',
    'word',
  ]),
  pastUnit: shell(pastUnit, ['unit', 'since', 'until', 'lines', 'max_bytes']),
  pastFiles: shell(pastFiles, ['folder', 'suffix', 'since', 'search', 'any_case', 'max_bytes', 'word']),
};

/** One log that is followed, across connections. */
export interface Following extends LogParser {
  /** The next connection goes on where the last one stood. */
  next(): ShellCommand;
  /** The name of the container that prints at present. */
  name?(): string;
}

const wordOf = (nonce: string): string => `::log-${nonce}`;

/** @param nonce nobody who writes in the log knows it */
export const following = (
  log: ServerLog,
  nonce: string,
  onNews: (news: 'started' | 'stopped' | 'replaced') => void,
): Following => {
  const word = wordOf(nonce);
  if (log.is === 'container') {
    const parser = new ContainerParser(word, onNews);
    const next = () => {
      parser.resume();
      const { container: known, since } = parser.place;
      const { container, service } = log;
      const fresh = known !== '' && since === '';
      // Of a container that has printed nothing yet, everything is new.
      return scripts.followContainer({
        container,
        service,
        known: fresh ? '' : known,
        since,
        lines: known === '' ? FIRST_LINES : MAX_REPLACED_LINES,
        word,
      });
    };
    return { next, push: (b) => parser.push(b), end: () => parser.end(), name: () => parser.name };
  }
  if (log.is === 'unit') {
    const parser = new JournalParser();
    const next = () => {
      parser.resume();
      return scripts.followUnit({ unit: log.unit, cursor: parser.cursor, lines: FIRST_LINES });
    };
    return { next, push: (b) => parser.push(b), end: () => parser.end() };
  }
  const parser = new FilesParser(word);
  const next = () => {
    parser.resume();
    const { folder, suffix } = log;
    return scripts.followFiles({ folder, suffix, back: FIRST_BYTES, word }, parser.places());
  };
  return { next, push: (b) => parser.push(b), end: () => parser.end() };
};

/** Of a container that took the place of another one. */
const MAX_REPLACED_LINES = 10_000;

export interface PartOfLog {
  since?: string | undefined;
  until?: string | undefined;
  /** A text that lines contain, if the server may look for it. */
  search?: string | undefined;
  matchCase?: boolean | undefined;
  lines: number;
  maxBytes: number;
}

/** One more, because a boundary within a second counts as that second on the server. */
const secondsOf = (time: string | undefined, round: (seconds: number) => number): string =>
  time === undefined ? '' : String(round(Date.parse(time) / 1000));

export const reading = (
  log: ServerLog,
  nonce: string,
  { since, until, search = '', matchCase = false, lines, maxBytes }: PartOfLog,
): { command: ShellCommand; parser: LogParser } => {
  const word = wordOf(nonce);
  const grep = { search, any_case: matchCase ? '' : 'yes', max_bytes: maxBytes };
  const from = secondsOf(since, Math.floor);
  if (log.is === 'container') {
    const { container, service } = log;
    const times = { since: since ?? '', until: until ?? '' };
    const command = scripts.pastContainer({ container, service, ...times, lines, ...grep, word });
    return { command, parser: new ContainerParser(word) };
  }
  if (log.is === 'unit') {
    const times = { since: from, until: secondsOf(until, Math.ceil) };
    // The journal is JSON, in which a text may be written in other characters.
    const command = scripts.pastUnit({ unit: log.unit, ...times, lines, max_bytes: maxBytes });
    return { command, parser: new JournalParser() };
  }
  const { folder, suffix } = log;
  return {
    command: scripts.pastFiles({ folder, suffix, since: from, ...grep, word }),
    parser: new PastFilesParser(word),
  };
};
