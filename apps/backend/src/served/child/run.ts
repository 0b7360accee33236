/** Answers one request: the blocks of its endpoint one after the other, in one transaction if one of them writes. */
import { randomUUID } from 'node:crypto';
import {
  blockShape,
  compileCall,
  isConflictOfTransactions,
  perform,
  Refused,
  serve,
  Uncompilable,
  type CompiledEndpoint,
  type Values,
} from '@quarterdeck/api';
import { isLost } from '../../databases/connections.program';
import { CallRefused, GuestFailure, type GuestCalls, type Guests } from '../../platform/guests';
import type { Connection, Connections } from './connections';
import type { Definition, ServedEndpoint } from './definition';
import { ApiRefusal, busy, refusalOfDatabase } from './refusal';
import type { ApiUser } from './users';

export interface AskedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly user: ApiUser | undefined;
  /** Absent: the time at which it is answered. */
  readonly now?: string;
}

export interface Answer {
  /** JSON */
  readonly text: string;
  /** What its snippets logged. */
  readonly logs?: readonly string[];
}

interface Tools {
  readonly connections: Connections;
  readonly guests: Guests;
}

/** For requests with one statement. */
export interface Shared {
  readonly reads: Connection;
  readonly inserts: Connection;
}

/** All blocks together. It is looked at before each statement, so nothing is left half done. */
const REQUEST_MS = 15_000;
const KINDS = ['list', 'detail', 'insert', 'insertMultiple', 'update', 'delete'] as const;

/** @throws ApiRefusal, and what nobody foresaw */
export const runEndpoint = async (
  { connections, reads, inserts, guests }: Tools & Shared,
  definition: Definition,
  endpoint: ServedEndpoint,
  asked: AskedRequest,
): Promise<Answer> => {
  const { compiled, snippets } = endpoint;
  if (!compiled) throw busy('this endpoint cannot be served', 60);
  const once = (): Promise<Answer> => {
    const work = (connection: Connection) =>
      new Run(connection, guests, definition, snippets).answer(compiled, asked);
    if (definition.isAside) return connections.reading(work);
    if (!compiled.writes) return compiled.isOneStatement ? work(reads) : connections.use(work);
    if (!compiled.isOneStatement) return connections.within(work);
    // Others may wait for the locks of rows that it changes.
    return compiled.blocks[0]?.type === 'insert' ? work(inserts) : connections.once(work);
  };
  try {
    // A snippet may have told somebody already, so it never runs twice.
    return await once().catch((error: unknown) => {
      if (!compiled.writes || snippets.size > 0 || !isConflictOfTransactions(error)) throw error;
      return once();
    });
  } catch (error) {
    throw told(error, definition);
  }
};

/** One of those that answer the same request. */
export interface Side {
  readonly definition: Definition;
  readonly endpoint: ServedEndpoint & { readonly compiled: CompiledEndpoint };
  readonly asked: AskedRequest;
}

/** `text`: JSON. */
export type SideOutcome = ({ readonly text: string } | { readonly error: unknown }) & {
  readonly ms: number;
  readonly hasTriedToWrite: boolean;
};

/**
 * Each side answers, one after the other, from the same state of the database, which refuses their writes.
 *
 * @param until on the clock of `performance`: no statement begins after it
 * @returns an answer, or why there is none, for each side
 * @throws ApiRefusal if the database cannot be asked
 */
export const runSides = (
  { connections, guests }: Tools,
  sides: readonly Side[],
  until: number,
): Promise<SideOutcome[]> =>
  connections.reading(async (connection) => {
    const outcomes: SideOutcome[] = [];
    for (const { definition, endpoint, asked } of sides) {
      // What one side does wrong would end the transaction for the others.
      await connection.ask('savepoint side');
      const began = performance.now();
      const run = new Run(connection, guests, definition, endpoint.snippets, until);
      const done = await run
        .answer(endpoint.compiled, asked)
        .then(({ text }) => ({ text }))
        .catch((error: unknown) => {
          if (isLost(error)) throw error;
          return { error: told(error, definition) };
        });
      const ms = Math.round((performance.now() - began) * 100) / 100;
      if ('error' in done) await connection.ask('rollback to savepoint side');
      outcomes.push({ ...done, ms, hasTriedToWrite: run.hasTriedToWrite });
    }
    return outcomes;
  });

let [latestMs, latest] = [0, ''];
/** Many requests come within the same millisecond. */
export const nowInUtc = (): string => {
  const ms = Date.now();
  if (ms !== latestMs) [latestMs, latest] = [ms, `${new Date(ms).toISOString().slice(0, 23)}000`];
  return latest;
};

const told = (error: unknown, { model }: Definition): unknown => {
  if (error instanceof Refused) {
    const { status, field, message } = error.refusal;
    return new ApiRefusal(status, message, field === '' ? {} : { fields: { [field]: message } });
  }
  if (error instanceof GuestFailure) return ofSnippet(error);
  return refusalOfDatabase(error, model) ?? error;
};

const ofSnippet = ({ code, message, line }: GuestFailure): ApiRefusal => {
  if (code === 'threw') return new ApiRefusal(422, message);
  if (code === 'busy') return busy('too many snippets are running: try again');
  const where = line === undefined ? '' : ` in line ${line}`;
  return busy(`a snippet of this endpoint was ended${where}: ${message}`, 5);
};

class Run {
  /** A snippet has, and was refused. */
  hasTriedToWrite = false;
  private readonly logs: string[] = [];
  /** The first failure of the database within a snippet, which may have caught it. */
  private failure: unknown;

  constructor(
    private readonly connection: Connection,
    private readonly guests: Guests,
    private readonly definition: Definition,
    private readonly snippets: ServedEndpoint['snippets'],
    private readonly until = performance.now() + REQUEST_MS,
  ) {}

  async answer(
    compiled: CompiledEndpoint,
    { params, query, body, user, now = nowInUtc() }: AskedRequest,
  ): Promise<Answer> {
    const request = {
      params,
      query,
      body: body ?? null,
      user: user ?? null,
      now,
      tenant: user?.tenant,
    };
    const { json } = await serve(compiled, request, {
      ...this.tools(),
      snippet: (ts, values) => this.snippet(ts, values),
    });
    return { text: json, logs: this.logs };
  }

  private tools(): Parameters<typeof perform>[2] {
    return {
      uuid: randomUUID,
      ask: ({ text, values }) => {
        if (performance.now() > this.until) throw busy('this took too long: ask for less, or try again', 5);
        return this.connection.ask(text, values);
      },
    };
  }

  private async snippet(ts: string, values: Values): Promise<unknown> {
    const { in: given, params, query, body, user, chain, now } = values;
    const { value, logs } = await this.guests.run(
      this.snippets.get(ts) ?? '',
      { params, query, body, user, chain, given, now },
      this.calls(values),
      { ms: this.definition.snippetMs },
    );
    this.logs.push(...logs);
    if (this.failure !== undefined) throw this.failure;
    return value;
  }

  private calls(values: Values): GuestCalls {
    // One after the other: they share a connection.
    let before: Promise<unknown> = Promise.resolve();
    const call = async (kind: (typeof KINDS)[number], given: unknown): Promise<unknown> => {
      const block = blockShape.safeParse({ ...(given as object), type: kind });
      if (!block.success) {
        const [issue] = block.error.issues;
        throw new CallRefused(`${[kind, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
      }
      try {
        const compiled = compileCall(block.data, this.definition.model);
        if (compiled.type === 'snippet') throw new CallRefused('Type unknown');
        if (this.definition.isAside && kind !== 'list' && kind !== 'detail') {
          this.hasTriedToWrite = true;
          throw new CallRefused('a definition that is not the present one only reads');
        }
        return (await perform(compiled, values, this.tools())).value();
      } catch (error) {
        if (error instanceof Uncompilable || error instanceof Refused) throw new CallRefused(error.message);
        if (!(error instanceof CallRefused)) this.failure ??= error;
        const refusal = error instanceof ApiRefusal ? error : refusalOfDatabase(error, this.definition.model);
        throw refusal ? new CallRefused(refusal.message) : error;
      }
    };
    return Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        (given: unknown) => {
          const next = before.then(() => call(kind, given));
          before = next.catch(() => undefined);
          return next;
        },
      ]),
    );
  }
}
