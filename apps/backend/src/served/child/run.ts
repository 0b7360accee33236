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

/** All blocks together. It is looked at before each statement, so nothing is left half done. */
const REQUEST_MS = 15_000;
const KINDS = ['list', 'detail', 'insert', 'insertMultiple', 'update', 'delete'] as const;

/** @throws ApiRefusal, and what nobody foresaw */
export const runEndpoint = async (
  { connections, guests }: Tools,
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
    return compiled.writes ? connections.within(work) : connections.use(work);
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
  private readonly until = performance.now() + REQUEST_MS;
  private readonly logs: string[] = [];
  /** The first failure of the database within a snippet, which may have caught it. */
  private failure: unknown;

  constructor(
    private readonly connection: Connection,
    private readonly guests: Guests,
    private readonly definition: Definition,
    private readonly snippets: ServedEndpoint['snippets'],
  ) {}

  async answer(compiled: CompiledEndpoint, { params, query, body, user }: AskedRequest): Promise<Answer> {
    const request = {
      params,
      query,
      body: body ?? null,
      user: user ?? null,
      now: `${new Date().toISOString().slice(0, 23)}000`,
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
        if (this.definition.isAside && kind !== 'list' && kind !== 'detail')
          throw new CallRefused('a definition that is not the present one only reads');
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
