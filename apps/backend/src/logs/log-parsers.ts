/** From what a script prints to lines with a time, a level and an id; and where to go on after a lost connection. Pure. */
import type { LogLine } from '@quarterdeck/contract';
import type { LogLevel } from '@quarterdeck/events/inputs';
import { ofPriority, levelOf, levelOfAccess } from './line-level';
import { LineSplitter } from './line-splitter';
import { minutesOf, timeOf } from './line-time';

/** A longer line is cut on its way to browsers. */
export const MAX_TEXT = 32_768;
const cut = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} … (${text.length - MAX_TEXT} more characters)`;

export interface LogParser {
  push(bytes: Buffer): LogLine[];
  /** The source has ended: a last line may lack its end. */
  end(): LogLine[];
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z) ?/;
/** Docker cuts longer lines into parts of this length, and writes the time before each of them. */
const DOCKER_PART = 16_384;

const INNER_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z /;
const MAX_STAMP = 40;

const withoutInnerTimes = (text: Buffer): Buffer => {
  if (text.length <= DOCKER_PART) return text;
  const parts: Buffer[] = [];
  let rest = text;
  while (rest.length > DOCKER_PART) {
    const next = rest.subarray(DOCKER_PART, DOCKER_PART + MAX_STAMP).toString('latin1');
    const [inner] = INNER_STAMP.exec(next) ?? [];
    if (inner === undefined) break;
    parts.push(rest.subarray(0, DOCKER_PART));
    rest = rest.subarray(DOCKER_PART + inner.length);
  }
  return Buffer.concat([...parts, rest]);
};

/** How far the log of a container is known. */
export interface ContainerPlace {
  container: string;
  /** The time of the last known line, and how many known lines have that time. */
  since: string;
  count: number;
}

export class ContainerParser implements LogParser {
  place: ContainerPlace = { container: '', since: '', count: 0 };
  name = '';
  private readonly splitter = new LineSplitter();
  /** Docker begins with the lines of that time again. */
  private skips = { stamp: '', left: 0 };

  /** @param word begins the lines of our script */
  constructor(
    private readonly word: string,
    private readonly onNews: (news: 'started' | 'stopped' | 'replaced') => void = () => undefined,
  ) {}

  /** Another connection: of the last container, what is known comes again. */
  resume(): void {
    this.splitter.end();
    this.skips = { stamp: this.place.since, left: this.place.count };
  }

  push(bytes: Buffer): LogLine[] {
    return this.splitter.push(bytes).flatMap(({ bytes: line }) => this.line(line));
  }

  end(): LogLine[] {
    return this.splitter.end().flatMap(({ bytes: line }) => this.line(line));
  }

  private line(bytes: Buffer): LogLine[] {
    const head = bytes.subarray(0, 400).toString('latin1');
    if (head.startsWith(this.word)) {
      this.told(head.slice(this.word.length + 1).split(' '));
      return [];
    }
    const [whole, stamp] = STAMP.exec(head) ?? [];
    // Docker itself says something, such as an error of the log driver.
    if (whole === undefined || stamp === undefined) return bytes.length === 0 ? [] : this.unstamped(bytes);
    if (this.skips.left > 0) {
      if (stamp === this.skips.stamp) {
        this.skips.left -= 1;
        return [];
      }
      this.skips.left = 0;
    }
    const text = withoutInnerTimes(bytes.subarray(whole.length)).toString();
    return [this.known(stamp, text)];
  }

  private known(at: string, text: string): LogLine {
    const count = at === this.place.since ? this.place.count + 1 : 1;
    this.place = { ...this.place, since: at, count };
    const id = `${this.place.container.slice(0, 12)} ${at} ${count}`;
    return { id, at, level: levelOf(text), text: cut(text) };
  }

  private unstamped(bytes: Buffer): LogLine[] {
    const text = bytes.toString();
    const at = this.place.since || new Date(0).toISOString();
    return [{ id: `${at} ${text.slice(0, 80)}`, at, level: levelOf(text), text: cut(text) }];
  }

  private told([what, container = '', name = '']: string[]): void {
    if (what === 'stopped' || what === 'replaced') return this.onNews(what);
    if (what !== 'container') return;
    this.name = name;
    if (container !== this.place.container) {
      this.place = { container, since: '', count: 0 };
      this.skips.left = 0;
    }
    this.onNews('started');
  }
}

interface JournalEntry {
  __CURSOR?: string;
  __REALTIME_TIMESTAMP?: string;
  MESSAGE?: string | number[] | null;
  PRIORITY?: string;
}

const messageOf = ({ MESSAGE: message }: JournalEntry): string => {
  if (Array.isArray(message)) return Buffer.from(message).toString();
  return message ?? '';
};

export class JournalParser implements LogParser {
  /** The last known entry. */
  cursor = '';
  private readonly splitter = new LineSplitter();

  resume(): void {
    this.splitter.end();
  }

  push(bytes: Buffer): LogLine[] {
    return this.splitter.push(bytes).flatMap(({ bytes: line }) => this.entry(line.toString()));
  }

  /** An entry that was cut off is read again after its cursor. */
  end(): LogLine[] {
    this.splitter.end();
    return [];
  }

  private entry(text: string): LogLine[] {
    let entry: JournalEntry;
    try {
      entry = JSON.parse(text) as JournalEntry;
    } catch {
      return [];
    }
    const { __CURSOR: cursor = '', __REALTIME_TIMESTAMP: micros = '0', PRIORITY: priority } = entry;
    this.cursor = cursor;
    const at = `${new Date(Number(micros) / 1000).toISOString().slice(0, -1)}${micros.slice(-3)}Z`;
    const number = /(?:^|;)i=([0-9a-f]+)/.exec(cursor)?.[1] ?? cursor.slice(-40);
    const own: LogLevel | undefined = priority === undefined ? undefined : ofPriority(Number(priority));
    return messageOf(entry)
      .split('\n')
      .map((line, part) => {
        const said = levelOf(line);
        // What a service prints gets the priority info, whatever it says.
        const level = own === 'info' && said !== 'none' ? said : (own ?? said);
        return { id: `${number}.${micros}.${part}`, at, level, text: cut(line) };
      });
  }
}

/** How far a file is known. */
export interface FilePlace {
  inode: string;
  from: number;
}

interface FileState extends FilePlace {
  splitter: LineSplitter;
  at: string;
  /** It began in the middle of a line. */
  partial: boolean;
}

const lineOfFile = (
  file: { inode: string; at: string },
  first: number,
  text: string,
  zone: number,
): LogLine => {
  file.at = timeOf(text, zone) ?? file.at;
  const level = levelOfAccess(text);
  return { id: `${file.inode}:${first}`, at: file.at, level, text: cut(text) };
};

/** What `follow-files.sh` prints. */
export class FilesParser implements LogParser {
  readonly files = new Map<string, FileState>();
  private zone = 0;
  private header = new LineSplitter();
  private piece: { path: string; left: number } | undefined;

  constructor(
    private readonly word: string,
    private readonly now: () => string = () => new Date().toISOString(),
  ) {}

  /** For the script: an inode, a number of bytes and a path for each file. */
  places(): string[] {
    return [...this.files].flatMap(([path, { inode, from }]) => [inode, String(from), path]);
  }

  resume(): void {
    this.header = new LineSplitter();
    this.piece = undefined;
    // Lines that were cut off are read again.
    for (const file of this.files.values()) file.splitter = new LineSplitter();
  }

  push(bytes: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let rest = bytes;
    while (rest.length > 0) {
      if (this.piece) {
        const taken = rest.subarray(0, this.piece.left);
        this.piece.left -= taken.length;
        const file = this.files.get(this.piece.path);
        if (file) this.take(file, taken, lines);
        if (this.piece.left === 0) this.piece = undefined;
        rest = rest.subarray(taken.length);
        continue;
      }
      const at = rest.indexOf(10);
      const header = this.header.push(rest.subarray(0, at < 0 ? rest.length : at + 1));
      rest = at < 0 ? rest.subarray(rest.length) : rest.subarray(at + 1);
      for (const line of header) this.begin(line.bytes.toString());
    }
    return lines;
  }

  end(): LogLine[] {
    return [];
  }

  private begin(header: string): void {
    const [word, inode = '', first = '', length = '', ...path] = header.split(' ');
    if (word !== this.word) return;
    if (inode === 'zone') return void (this.zone = minutesOf(first));
    const name = path.join(' ');
    const from = Number(first);
    const known = this.files.get(name);
    if (!known || known.inode !== inode || known.from + known.splitter.held !== from)
      this.files.set(name, {
        inode,
        from,
        splitter: new LineSplitter(),
        at: known?.at ?? this.now(),
        partial: from > 0 && known?.inode !== inode,
      });
    this.piece = { path: name, left: Number(length) };
  }

  private take(file: FileState, bytes: Buffer, lines: LogLine[]): void {
    for (const { bytes: line, length } of file.splitter.push(bytes)) {
      const first = file.from;
      file.from += length;
      if (file.partial) file.partial = false;
      else lines.push(lineOfFile(file, first, line.toString(), this.zone));
    }
  }
}

/** What `past-files.sh` prints. */
export class PastFilesParser implements LogParser {
  private readonly splitter = new LineSplitter();
  private zone = 0;
  private file = { inode: '', at: '', first: 0 };

  constructor(private readonly word: string) {}

  push(bytes: Buffer): LogLine[] {
    return this.splitter.push(bytes).flatMap(({ bytes: line }) => this.line(line));
  }

  end(): LogLine[] {
    return this.splitter.end().flatMap(({ bytes: line }) => this.line(line));
  }

  private line(line: Buffer): LogLine[] {
    const text = line.toString();
    const [word, inode = '', first = ''] = text.split(' ', 3);
    if (word === this.word) {
      if (inode === 'zone') this.zone = minutesOf(first);
      else this.file = { inode, at: '', first: Number(first) };
      return [];
    }
    const colon = text.indexOf(':');
    const at = Number(text.slice(0, colon));
    // The part of a line where the newest bytes begin.
    if (at === this.file.first && at > 0) return [];
    return [lineOfFile(this.file, at, text.slice(colon + 1), this.zone)];
  }
}
