/** Reads a part of a log: its newest lines that match, within limits of bytes, lines and time. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Answer, LogLine, logs } from '@quarterdeck/contract';
import { MAX_PAST_LINES, type LogLevel, type LogSource } from '@quarterdeck/events/inputs';
import { DomainError, invalidField } from '../platform/errors';
import { plain, SshFailure } from '../platform/ssh';
import { threads } from '../platform/threads';
import { LogAccess, type LogOfServer } from './log-access';
import { reading } from './log-commands';
import { matchLines } from './log-search.jobs';

const MB = 1024 * 1024;
/** Of the log, on the way here. */
const MAX_BYTES = 64 * MB;
const TIMEOUT_MS = 45_000;
/** Lines are searched by an expression in groups of this many characters. */
const GROUP_CHARACTERS = 4 * MB;
const SEARCH_MS = 3000;
/** An answer has at most so many characters of text. */
const MAX_CHARACTERS = 8 * MB;
/** The script found that there is no such log. */
const NO_SUCH_LOG = 2;

export interface LogQuery {
  since?: string | undefined;
  until?: string | undefined;
  search?: string | undefined;
  regexp?: boolean | undefined;
  matchCase?: boolean | undefined;
  levels?: readonly LogLevel[] | undefined;
}

type Past = Answer<typeof logs.past>;

/** Which field of the source names what is not there. */
const fieldOf = (source: LogSource): string => ('name' in source ? 'source.name' : 'source');

@Injectable()
export class LogPast {
  constructor(private readonly access: LogAccess) {}

  /** @throws DomainError */
  async read(of: LogOfServer, query: LogQuery, signal?: AbortSignal): Promise<Past> {
    const log = await this.access.logOf(of);
    const { command, parser } = reading(log, randomBytes(8).toString('hex'), {
      ...query,
      search: query.regexp === true ? undefined : query.search,
      lines: MAX_PAST_LINES,
      maxBytes: MAX_BYTES,
    });
    const found = new NewestLines(query);
    let [errors, bytes] = ['', 0];
    const { exitCode, timedOut } = await this.access
      .run(of, {
        ...command,
        timeoutMs: TIMEOUT_MS,
        // Of several files, each may be that long.
        maxBytes: 4 * MAX_BYTES,
        ...(signal && { signal }),
        onBytes: (stream, piece) => {
          if (stream === 'err') return void (errors = (errors + piece.toString()).slice(-1000));
          bytes += piece.length;
          return found.add(parser.push(piece));
        },
      })
      .catch((error: unknown) => {
        if (!(error instanceof SshFailure)) throw error;
        if (error.code === 'outputTooLong') return { exitCode: 0, timedOut: false };
        throw new DomainError('upstream', error.msg, undefined, { code: error.code });
      });
    await found.add(parser.end());
    if (exitCode === NO_SUCH_LOG)
      throw invalidField(fieldOf(of.source), plain(errors.trim()) || 'this log does not exist');
    if (exitCode !== 0 && !timedOut)
      throw new DomainError('upstream', plain(errors.trim()) || 'The server could not read this log.');
    const lines = await found.end();
    const texts = await this.access.masked(
      lines.map(({ text }) => text),
      of.workspace,
    );
    const left = timedOut
      ? `The server took more than ${TIMEOUT_MS / 1000} s. Choose a shorter time.`
      : bytes >= MAX_BYTES
        ? `More than ${MAX_BYTES / MB} MB lie in this time. Choose a shorter one, or search for a text.`
        : found.hasMore
          ? `These are the newest ${lines.length.toLocaleString('en')} lines. Choose a shorter time to see all of it.`
          : undefined;
    return {
      lines: lines.map((line, at) => ({ ...line, text: texts[at] ?? '' })),
      read: found.read,
      ...(left !== undefined && { left }),
    };
  }
}

/** Keeps what matches, and of that the newest lines. */
class NewestLines {
  read = 0;
  hasMore = false;
  private lines: LogLine[] = [];
  private characters = 0;
  private waiting: LogLine[] = [];
  private waitingCharacters = 0;
  private readonly from: number;
  private readonly to: number;

  constructor(private readonly query: LogQuery) {
    this.from = query.since === undefined ? -Infinity : Date.parse(query.since);
    this.to = query.until === undefined ? Infinity : Date.parse(query.until);
  }

  add(lines: readonly LogLine[]): void | Promise<void> {
    this.read += lines.length;
    for (const line of lines) {
      if (!this.isWanted(line)) continue;
      this.waiting.push(line);
      this.waitingCharacters += line.text.length;
    }
    if (this.query.regexp !== true || this.query.search === undefined) return this.keep(this.taken());
    return this.waitingCharacters > GROUP_CHARACTERS ? this.search() : undefined;
  }

  async end(): Promise<LogLine[]> {
    if (this.waiting.length > 0) await this.search();
    // Several files of one log are read one after the other.
    const timed = this.lines.map((line) => ({ line, at: Date.parse(line.at) || 0 }));
    const sorted = timed.toSorted((one, other) => one.at - other.at).map(({ line }) => line);
    let first = Math.max(0, sorted.length - MAX_PAST_LINES);
    let characters = sorted.slice(first).reduce((sum, { text }) => sum + text.length, 0);
    for (; characters > MAX_CHARACTERS && first < sorted.length - 1; first += 1)
      characters -= sorted[first]?.text.length ?? 0;
    this.hasMore ||= first > 0;
    return sorted.slice(first);
  }

  private isWanted({ at, text, level }: LogLine): boolean {
    const time = Date.parse(at);
    // A line without a time before the first one that has one may belong to any.
    if (Number.isFinite(time) && (time < this.from || time > this.to)) return false;
    const { levels, search, regexp, matchCase } = this.query;
    if (levels && levels.length > 0 && !levels.includes(level)) return false;
    if (search === undefined || regexp === true) return true;
    return matchCase === true ? text.includes(search) : text.toLowerCase().includes(search.toLowerCase());
  }

  private taken(): LogLine[] {
    const { waiting } = this;
    this.waiting = [];
    this.waitingCharacters = 0;
    return waiting;
  }

  private async search(): Promise<void> {
    const lines = this.taken();
    const input = {
      expression: this.query.search ?? '',
      matchCase: this.query.matchCase === true,
      lines: lines.map(({ text }) => text),
    };
    const matches = await threads.run(matchLines, input, { timeoutMs: SEARCH_MS });
    this.keep(lines.filter((_, at) => matches[at]));
  }

  private keep(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.lines.push(line);
      this.characters += line.text.length;
    }
    // Twice as much, so that it is not cut with every piece.
    if (this.lines.length < 2 * MAX_PAST_LINES && this.characters < 2 * MAX_CHARACTERS) return;
    this.hasMore = true;
    let first = Math.max(0, this.lines.length - MAX_PAST_LINES);
    for (const { text } of this.lines.slice(0, first)) this.characters -= text.length;
    for (; this.characters > MAX_CHARACTERS && first < this.lines.length - 1; first += 1)
      this.characters -= this.lines[first]?.text.length ?? 0;
    this.lines = this.lines.slice(first);
  }
}
