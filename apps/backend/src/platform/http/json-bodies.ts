/** Bodies are JSON of limited size and depth. Everything else is refused with a message. */
import { contract } from '@quarterdeck/contract';
import type { FastifyInstance } from 'fastify';
import { PREFIX } from './bindings';
import { DomainError } from '../errors';

/** For calls that declare no `maxBodyBytes`. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** The unparsed body, to compare calls with the same Idempotency-Key. */
    rawBody?: string;
  }
}

/** Maximum number of open brackets, ignoring strings. */
const depthOf = (json: string): number => {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted) {
      if (char === '\\') i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
};

export const parseJson = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  if (depthOf(text) > MAX_DEPTH) throw new DomainError('invalid', 'this input is nested too deeply');
  try {
    // A key such as `__proto__` becomes a plain property here, which every schema refuses by name.
    return JSON.parse(text) as unknown;
  } catch {
    throw new DomainError('invalid', 'could not parse request to json');
  }
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
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    try {
      request.rawBody = text;
      done(null, parseJson(text));
    } catch (error) {
      done(error as Error);
    }
  });
};
