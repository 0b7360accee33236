/**
 * An API at one position of the log: routes, compiled statements, snippets. It never changes. A change of the API is
 * compiled beside it, and swapped in.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  apiModelOf,
  compile,
  METHODS,
  Uncompilable,
  type ApiModel,
  type CompiledEndpoint,
  type Permission,
} from '@quarterdeck/api';
import type { Dialect } from '@quarterdeck/data-model';
import Router from 'find-my-way';
import type { GuestFailure, Guests } from '../../platform/guests';
import type { ApiDescription, ServiceClient } from '../messages';

export interface ServedEndpoint {
  readonly id: string;
  /** None: everybody may call it. */
  readonly permissions: readonly Permission[];
  readonly statusOut: number;
  /** Undefined if there is a problem. */
  readonly compiled?: CompiledEndpoint | undefined;
  /** JavaScript of the snippets, by their TypeScript. */
  readonly snippets: ReadonlyMap<string, string>;
  /** Why it cannot be served, such as an entity that was removed. */
  readonly problem?: string | undefined;
}

export interface Definition {
  /** Id of the instance. */
  readonly instance: string;
  readonly position: string;
  /** It is not the present one. The database refuses its writes. */
  readonly isAside: boolean;
  readonly model: ApiModel;
  readonly tokenHash?: string | undefined;
  readonly sendsMails: boolean;
  readonly services: readonly ServiceClient[];
  readonly requestsPerMinute: number;
  readonly snippetMs: number;
  /** By id of the endpoint. */
  readonly problems: Readonly<Record<string, string>>;
  /** What its endpoints were made from. */
  readonly source: Source;
  find(
    method: string,
    path: string,
  ): { endpoint: ServedEndpoint; params: Readonly<Record<string, string>> } | undefined;
  methodsAt(path: string): string[];
}

interface Source {
  /** What all endpoints depend on. */
  readonly model: string;
  /** By their ids. */
  readonly endpoints: ReadonlyMap<string, { readonly text: string; readonly served: ServedEndpoint }>;
}

const MAX_PARAM = 500;
/** Requests are answered in between. */
const TURN_MS = 5;

export const definitionOf = async (
  {
    instance,
    position,
    model: described,
    options,
    endpoints,
    tokenHash,
    sendsMails = false,
    services = [],
    requestsPerMinute,
    snippetMs,
  }: ApiDescription,
  dialect: Dialect,
  guests: Pick<Guests, 'compile'>,
  { isAside = false, before }: { isAside?: boolean; before?: Definition | undefined } = {},
): Promise<Definition> => {
  const modelText = JSON.stringify([described, options]);
  // Of most changes, all but one endpoint stay as they are.
  const known = before?.source.model === modelText ? before : undefined;
  const model = known?.model ?? apiModelOf(described, dialect, options);
  const source = new Map<string, { text: string; served: ServedEndpoint }>();
  const router = Router({ maxParamLength: MAX_PARAM, ignoreTrailingSlash: true });
  const served = new Map<object, ServedEndpoint>();
  const problems: Record<string, string> = {};
  let began = performance.now();
  for (const { id, endpoint } of endpoints) {
    const text = JSON.stringify(endpoint);
    const earlier = known?.source.endpoints.get(id);
    const isKnown = earlier?.text === text && earlier.served.problem === undefined;
    const one = isKnown ? earlier.served : await servedEndpoint(id, endpoint, model, guests);
    source.set(id, { text, served: one });
    if (one.problem !== undefined) problems[id] = one.problem;
    const store = {};
    served.set(store, one);
    try {
      router.on(endpoint.method, endpoint.path, () => undefined, store);
    } catch {
      problems[id] = 'another endpoint has the same method and path';
    }
    if (performance.now() - began < TURN_MS) continue;
    await turn();
    began = performance.now();
  }
  const find: Definition['find'] = (method, path) => {
    const found = router.find(method as 'GET', path);
    const endpoint = found ? served.get(found.store as object) : undefined;
    return found && endpoint ? { endpoint, params: found.params as Record<string, string> } : undefined;
  };
  return {
    instance,
    position,
    isAside,
    model,
    tokenHash,
    sendsMails,
    services,
    requestsPerMinute,
    snippetMs,
    problems,
    source: { model: modelText, endpoints: source },
    find,
    methodsAt: (path) => METHODS.filter((method) => find(method, path) !== undefined),
  };
};

const servedEndpoint = async (
  id: string,
  endpoint: ApiDescription['endpoints'][number]['endpoint'],
  model: ApiModel,
  guests: Pick<Guests, 'compile'>,
): Promise<ServedEndpoint> => {
  const common = { id, permissions: endpoint.permissions ?? [], statusOut: endpoint.statusOut ?? 200 };
  const snippets = new Map<string, string>();
  try {
    const compiled = compile(endpoint, model);
    for (const block of compiled.blocks)
      if (block.type === 'snippet') snippets.set(block.ts, await guests.compile(block.ts));
    return { ...common, compiled, snippets };
  } catch (error) {
    return { ...common, snippets, problem: problemOf(error) };
  }
};

const problemOf = (error: unknown): string => {
  if (error instanceof Uncompilable) return error.message;
  const { message, line } = error as GuestFailure;
  return line === undefined ? message : `line ${line}: ${message}`;
};
