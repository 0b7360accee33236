/** How a product database is reached, and what it can be asked. */
import type { Duplex } from 'node:stream';
import type { Dialect } from '@quarterdeck/data-model';
import type { Repeated } from './repeated-question';
import type { Row } from './target-connection';

export interface TargetAddress {
  readonly dialect: Dialect;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** PostgreSQL only. Default: the user's search path. */
  readonly schema?: string;
  /** The PEM certificate with which the server has to identify itself over TLS. */
  readonly certificate?: string;
  /** PEM of a certificate and its private key, which are shown to the server. Then there is always TLS. */
  readonly identity?: string;
  /** Without a certificate and an identity. Default: `scram`. */
  readonly protection?: Protection;
  /** How to reach the host. Default: directly, whatever its address. */
  readonly connect?: Connect;
}

/**
 * `authorities`: TLS, and the server proves its name by an authority that Node trusts. `scram`: no TLS, and the password
 * is never sent in a form that a listener could use. `none`: no TLS, and whatever form the server wants.
 */
export type Protection = 'authorities' | 'scram' | 'none';

/** Opens a stream to the host. */
export type Connect = (to: { host: string; port: number }, withinMs: number) => Promise<Duplex>;

/** A statement with the placeholders of its engine. */
export interface Prepared {
  readonly text: string;
  /** Unique for the text. PostgreSQL then parses it once for each connection. */
  readonly name?: string;
}

export interface Answered {
  readonly rows: Row[];
  /** Rows that a write changed. */
  readonly changed: number;
  /** MySQL: the last number that it gave to a new row. */
  readonly insertId?: string | number;
}

export interface Target {
  readonly dialect: Dialect;
  /** Whether one side has closed it. */
  readonly isClosed: boolean;
  /**
   * `?` is the placeholder for a value in both dialects.
   * @param withinMs a later answer closes the connection. Infinity: the statement may take as long as it needs
   * @throws AnswerTooLarge, which closes the connection
   */
  query(sql: string, values?: readonly unknown[], withinMs?: number): Promise<Row[]>;
  /** As `query`, and says what the statement changed. */
  ask(statement: Prepared, values: readonly unknown[], withinMs: number): Promise<Answered>;
  /**
   * As one transaction, with one writing and the limits of one answer: if one fails, none has happened. PostgreSQL only.
   */
  readonly askTogether?: (asked: readonly Repeated[], withinMs: number) => Promise<readonly Answered[]>;
  /** Says goodbye, and does not wait long for the answer. */
  end(): Promise<void>;
  /** Closes the connection without notifying the server. */
  destroy(): void;
}
