/**
 * The text of a part, which `psql` can run: `COPY table (columns) FROM stdin;`, one line per row in Postgres' text
 * format, and a final line `\.`. See "COPY, Text Format" in the Postgres manual.
 */

import { ArchiveRefused } from './head';

export interface Section {
  table: string;
  columns: readonly string[];
  /** Blocks of whole lines. They have to be read before the next section is requested. */
  rows: AsyncIterable<Buffer>;
}

export const sectionHead = (table: string, columns: readonly string[]): Buffer =>
  Buffer.from(`COPY ${table} (${columns.join(', ')}) FROM stdin;\n`);

export const SECTION_END = Buffer.from('\\.\n');

const HEAD = /^COPY ([a-z_]+\.[a-z_0-9]+) \(([a-z_0-9]+(?:, [a-z_0-9]+)*)\) FROM stdin;$/;
const LINE_FEED = 0x0a;
/** A line is one row. The largest event or piece of output is smaller by far. */
const MAX_LINE_BYTES = 32 * 1_048_576;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const escaped = (text: string): string => text.replace(/[\\\n\r\t]/g, (sign) => ESCAPED[sign] ?? sign);

const unescaped = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, sign: string) => UNESCAPED[sign] ?? sign) : text;

export const copyLine = (values: readonly string[]): string => `${values.map(escaped).join('\t')}\n`;

/** The values of a line without nulls. */
export const valuesIn = (line: string): string[] => line.split('\t').map(unescaped);

/** Reads lines, one or many at a time, from pieces of any size. */
class Lines {
  #rest: Buffer = Buffer.alloc(0);
  readonly #pieces: AsyncIterator<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done) return false;
    if (this.#rest.length > MAX_LINE_BYTES)
      throw new ArchiveRefused(`a line of the archive has more than ${MAX_LINE_BYTES} bytes`);
    this.#rest = this.#rest.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#rest, next.value]);
    return true;
  }

  /** @returns the next line without its line feed; undefined at the end */
  async next(): Promise<string | undefined> {
    for (let end = -1; ;) {
      end = this.#rest.indexOf(LINE_FEED);
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (await this.#more()) continue;
      if (this.#rest.length > 0)
        throw new ArchiveRefused('the archive is damaged: the text ends within a line');
      return undefined;
    }
  }

  /** Reads to the end of the section and consumes the end mark. */
  async *rows(): AsyncGenerator<Buffer> {
    const end = Buffer.concat([Buffer.from('\n'), SECTION_END]);
    for (;;) {
      if (this.#rest.subarray(0, SECTION_END.length).equals(SECTION_END)) {
        this.#rest = this.#rest.subarray(SECTION_END.length);
        return;
      }
      const found = this.#rest.indexOf(end);
      const whole = found >= 0 ? found : this.#rest.lastIndexOf(LINE_FEED);
      if (whole >= 0) {
        yield this.#rest.subarray(0, whole + 1);
        this.#rest = this.#rest.subarray(whole + 1);
      } else if (!(await this.#more()))
        throw new ArchiveRefused('the archive is damaged: the text ends within a table');
    }
  }
}

/**
 * Splits a dump into one section per COPY statement.
 * @throws ArchiveRefused if the text is not in this format
 */
export async function* sectionsIn(text: AsyncIterable<Uint8Array>): AsyncGenerator<Section> {
  const lines = new Lines(text);
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const [, table, columns] = HEAD.exec(line) ?? [];
    if (table === undefined || columns === undefined)
      throw new ArchiveRefused('the archive is damaged: a COPY statement is expected');
    yield { table, columns: columns.split(', '), rows: lines.rows() };
  }
}

/** The rows of a section, line by line and without their line feeds. */
export async function* linesOf(rows: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const block of rows) {
    const lines = block.toString('utf8').split('\n');
    lines.pop();
    yield* lines;
  }
}
