/**
 * A question to PostgreSQL that is asked again and again. Its columns are known from its first answer, so they are not
 * asked for again, and it has nothing of what the driver's own questions have for others to listen to.
 */
import type { Client, Connection, Submittable } from 'pg';
import type { Answered } from './target-forms';
import type { Row } from './target-connection';

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

/** By the name of the statement, of one connection. */
export type KnownColumns = Map<string, readonly Column[]>;

interface Protocol {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string; types: undefined }): void;
  bind(statement: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(what: { portal: string; rows: undefined }): void;
  sync(): void;
}

type Scalar = string | number | boolean | null;

/** Whether all of them are values of this kind of question. */
export const areScalars = (values: readonly unknown[]): values is readonly Scalar[] =>
  values.every((value) => value === null || /^(?:string|number|boolean)$/.test(typeof value));

/** A statement with its name, and its values. */
export interface Repeated {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Scalar[];
}

/** Questions of one transaction, which are written together. The server answers them in turn, until one fails. */
export class RepeatedQuestions implements Submittable {
  private readonly answers: Answered[] = [];
  private rows: Row[] = [];
  private failure: Error | undefined;

  constructor(
    private readonly asked: readonly Repeated[],
    private readonly client: Pick<Client, 'getTypeParser'>,
    private readonly columns: KnownColumns,
    private readonly resolve: (answers: readonly Answered[]) => void,
    private readonly reject: (error: Error) => void,
    private readonly onRow: () => void,
  ) {}

  /** Of the one that is being answered. The driver remembers by it what is parsed. */
  get name(): string | undefined {
    return this.asked[this.answers.length]?.name;
  }

  get text(): string | undefined {
    return this.asked[this.answers.length]?.text;
  }

  submit(connection: Connection): void {
    const protocol = connection as unknown as Protocol;
    protocol.stream.cork();
    try {
      for (const { name, text, values } of this.asked) {
        if (!(name in protocol.parsedStatements) && !(name in protocol.submittedNamedStatements)) {
          protocol.parse({ name, text, types: undefined });
          protocol.submittedNamedStatements[name] = text;
        }
        const texts = values.map((value) => (value === null ? null : String(value)));
        protocol.bind({ portal: '', statement: name, values: texts });
        if (!this.columns.has(name)) protocol.describe({ type: 'P', name: '' });
        protocol.execute({ portal: '', rows: undefined });
      }
      protocol.sync();
    } finally {
      protocol.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.columns.set(
      String(this.name),
      fields.map(({ name, dataTypeID }) => ({ name, read: this.client.getTypeParser(dataTypeID, 'text') })),
    );
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.columns.get(String(this.name)) ?? [];
    try {
      for (let at = 0; at < columns.length; at += 1) {
        const { name, read } = columns[at] as Column;
        const text = fields[at] ?? null;
        row[name] = text === null ? null : read(text);
      }
    } catch (error) {
      this.failure ??= error as Error;
    }
    this.rows.push(row);
    this.onRow();
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = String(this.name);
    // It has none.
    if (!this.columns.has(name)) this.columns.set(name, []);
    this.answers.push({ rows: this.rows, changed: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    if (this.failure) this.reject(this.failure);
    else if (this.answers.length === this.asked.length) this.resolve(this.answers);
    else this.reject(new Error('the server did not answer'));
  }

  handleError(error: Error, connection: Connection): void {
    const { parsedStatements, submittedNamedStatements } = connection as unknown as Protocol;
    // Those that the server has not looked at are not parsed either.
    for (const { name } of this.asked) if (!(name in parsedStatements)) delete submittedNamedStatements[name];
    this.reject(error);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}
