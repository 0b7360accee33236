/**
 * The largest input of every call of the contract, and what it costs: the processor time of the main thread of a back
 * end. While that works, nobody else is served.
 */
import { contract, requestTo, type Call } from '@quarterdeck/contract';
import type { z } from 'zod';
import { MAX_BODY_BYTES } from '../../apps/backend/src/platform/http/json-bodies';
import { plain } from '../backend/plain-nouns';
import { exampleOf, type Things } from '../examples';
import type { Operator } from '../../testing/operator';
import { makerFor, type Thing } from '../things';
import { mainThreadMs } from './growth';
import type { Json } from './hostile';
import { another, largestBodies, longer } from './largest';

/** Highest processor time of the main thread that one call may cost. */
export const MAX_MS = 200;
/** Requests that took more than this are repeated: the first one also compiles code. */
const AGAIN_MS = 50;
/** Node accepts 16 KiB of headers, and the address is one of them. */
const MAX_QUERY = 8000;

/** These end what the others need, so they get ids of nothing. */
const ENDS = /\/(delete|revoke|cancel|revoke-all|cleanUp|remove)$/;
/** These would end the session of the caller, or be refused after a few calls from one address. */
const APART = new Set(['auth/logout', 'auth/link']);

/** A call with what to send. `valid` is the small input that the large ones were grown from. */
export interface LargestCall {
  readonly path: string;
  readonly valid: Json;
  readonly schema: z.ZodType;
  readonly bodies: () => readonly Json[];
  send(who: Operator, body: Json): Promise<{ status: number }>;
}

/** One thing of each kind. Nothing answers at the server's port. */
export const thingsOf = async (who: Operator): Promise<Things> => {
  const { made, make } = makerFor(who);
  for (const thing of ['location', 'variable', 'script', ...plain.map(({ category }) => category)])
    await make(thing as Thing);
  return made;
};

interface Sizes {
  bytes: number;
  forms: typeof longer;
}

let sent = 0;

const ofPost = (call: Call, things: Things, { bytes, forms }: Sizes): LargestCall => {
  const { path, input: schema, maxBodyBytes = MAX_BODY_BYTES } = call;
  const valid = exampleOf(call, ENDS.test(path) ? {} : things);
  return {
    path,
    valid,
    schema,
    bodies: () => largestBodies(schema, valid, Math.min(bytes, maxBodyBytes), forms),
    send: (who, body) => {
      const other = another(body, valid, (sent += 1));
      return who.post(path, schema.safeParse(other).success ? other : body);
    },
  };
};

/** Its inputs are in the address. Whether they are accepted is up to the call. */
const ofGet = (call: Call, { forms }: Sizes): LargestCall => {
  const { path, input } = call;
  const names = Object.keys((input as Partial<z.ZodObject>).shape ?? {});
  const valid = Object.fromEntries(names.map((name) => [name, 'a']));
  const each = Math.floor(MAX_QUERY / Math.max(1, names.length) / 3);
  const grown = forms.map((grow) => Object.fromEntries(names.map((name) => [name, grow('a', each)])));
  return {
    path,
    valid,
    schema: input,
    bodies: () => (names.length === 0 ? [valid] : grown),
    send: (who, body) => who.get(requestTo(call, body).path),
  };
};

/**
 * Every call. The things have to exist.
 * @param isSample a third of the forms of text for each call, in turns, since calls share the kinds of their fields; and no
 * body above 1 MiB, since what grows with the square shows long before
 */
export const largestCalls = (things: Things, { isSample = false } = {}): LargestCall[] =>
  contract
    .filter(({ path }) => !APART.has(path))
    .map((call, at) => {
      const sizes = isSample
        ? { bytes: 1024 * 1024, forms: longer.filter((_, form) => form % 3 === at % 3) }
        : { bytes: Infinity, forms: longer };
      return call.method === 'GET' ? ofGet(call, sizes) : ofPost(call, things, sizes);
    });

export interface Spent {
  ms: number;
  status: number;
}

/** Processor time of the main thread of a process for one request. */
export const spentBy = async (pid: number, send: () => Promise<{ status: number }>): Promise<Spent> => {
  const once = async (): Promise<Spent> => {
    const before = mainThreadMs(pid);
    const { status } = await send();
    return { ms: mainThreadMs(pid) - before, status };
  };
  const spent = await once();
  if (spent.ms <= AGAIN_MS) return spent;
  return { ...spent, ms: Math.min(spent.ms, (await once()).ms) };
};
