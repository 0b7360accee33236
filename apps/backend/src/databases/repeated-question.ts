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

export class RepeatedQuestion implements Submittable {
  private readonly rows: Row[] = [];
  private changed = 0;
  private failure: Error | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly Scalar[],
    private readonly client: Pick<Client, 'getTypeParser'>,
    private readonly columns: KnownColumns,
    private readonly onRow: () => void,
    private readonly resolve: (answer: Answered) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    const protocol = connection as unknown as Protocol;
    const { name, text } = this;
    protocol.stream.cork();
    try {
      if (!(name in protocol.parsedStatements) && !(name in protocol.submittedNamedStatements)) {
        protocol.parse({ name, text, types: undefined });
        protocol.submittedNamedStatements[name] = text;
      }
      const values = this.values.map((value) => (value === null ? null : String(value)));
      protocol.bind({ portal: '', statement: name, values });
      if (!this.columns.has(name)) protocol.describe({ type: 'P', name: '' });
      protocol.execute({ portal: '', rows: undefined });
      protocol.sync();
    } finally {
      protocol.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.columns.set(
      this.name,
      fields.map(({ name, dataTypeID }) => ({ name, read: this.client.getTypeParser(dataTypeID, 'text') })),
    );
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      for (const [at, { name, read }] of (this.columns.get(this.name) ?? []).entries()) {
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
    this.changed = Number(/ (\d+)$/.exec(text)?.[1] ?? 0);
    // It has none.
    if (!this.columns.has(this.name)) this.columns.set(this.name, []);
  }

  handleReadyForQuery(): void {
    if (this.failure) this.reject(this.failure);
    else this.resolve({ rows: this.rows, changed: this.changed });
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}
