/** Bodies are JSON of limited size and depth. Everything else is refused with a message. */
import { setImmediate as turn } from 'node:timers/promises';
import { contract } from '@quarterdeck/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PREFIX } from './bindings';
import { DomainError } from '../errors';

/** For calls that declare no `maxBodyBytes`. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body, which signatures and calls with the same Idempotency-Key are about. */
    rawBody?: Buffer;
    /** Set before the body is read: refuses its bytes before they are parsed. */
    checkBody?: (bytes: Buffer) => Promise<void>;
  }
}

/** Where a string ends that begins at the quote `from`. Skips what is between: a file in base64 has millions of characters. */
const endOfString = (json: string, from: number): number => {
  for (let end = json.indexOf('"', from + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
};

/** Maximum number of open brackets, ignoring strings. */
const depthOf = (json: string): number => {
  let [depth, deepest] = [0, 0];
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (char === '"') i = endOfString(json, i);
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
};

const parsed = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  if (depthOf(text) > MAX_DEPTH) throw new DomainError('invalid', 'this input is nested too deeply');
  try {
    // A key such as `__proto__` becomes a plain property here, which every schema refuses by name.
    return JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('invalid', 'could not parse request to json');
  }
};

/** Large bodies take some milliseconds at each step, and others come first in between. */
const inTurn = async <T>({ length }: Buffer, step: () => T): Promise<T> => {
  if (length > MAX_BODY_BYTES) await turn();
  return step();
};

const largerBodies = new Map<string, number>(
  contract.flatMap(({ path, maxBodyBytes }) =>
    maxBodyBytes === undefined ? [] : [[`/${PREFIX}/${path}`, maxBodyBytes] as const],
  ),
);

export const acceptJsonOnly = (fastify: FastifyInstance): void => {
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit ??= largerBodies.get(route.url);
  });
  fastify.removeAllContentTypeParsers();
  const parse = async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    request.rawBody = bytes;
    await inTurn(bytes, () => request.checkBody?.(bytes));
    const text = await inTurn(bytes, () => bytes.toString());
    return inTurn(bytes, () => parsed(text));
  };
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, parse);
};
