/**
 * A call is declared once. The route, its checks, the API description, the console's endpoint and the tests over all
 * calls are derived from that declaration.
 */
import type { FactorLack, ReadModel, Role } from '@quarterdeck/events';
import type { z } from 'zod';

/** `local`: anybody on the same machine, or with METRICS_TOKEN. */
export type AccessLevel = 'public' | 'local' | Role;

/** A call as it is declared. Default method: POST. With `shows`, the call only reads. */
export interface Declared {
  /** One line for the API description. */
  summary: string;
  /** The minimum role that may make the call, if it differs from that of its noun. */
  access?: AccessLevel;
  input: z.ZodType;
  /**
   * An input that the call accepts, with every id that it may take (of `demo`). It is in the API description, and the
   * tests over all calls send it. Absent: the call takes no input.
   */
  example?: unknown;
  /** Converts a body in the specification's form to the form of `input`, if they differ. */
  specified?: (body: unknown) => unknown;
  answer: z.ZodType;
  /** Last segments of the path, if they differ from the key: `update/private-key`. `:name` is taken from the input. */
  path?: string;
  method?: 'GET' | 'POST';
  /** The call only reads, and shows these read models. `[]`: no event makes its answer stale. */
  shows?: ReadModel | readonly ReadModel[];
  /** The call makes these read models stale. If the input has an id, it also makes that row stale. */
  stales?: ReadModel | readonly ReadModel[];
  /** The id in the input is not that of a row: the call shows the list, or makes every row stale. */
  wide?: true;
  /** The call can also answer about an instant in the past (`X-At`). */
  asOf?: true;
  /**
   * The call is about the caller, about signing in, or about instants. While the console shows the past, it makes this
   * call without an instant. It makes no other changes then.
   */
  timeless?: true;
  /** Also accepted from a session that lacks the second factor in one of these ways. Other calls refuse it. */
  lacking?: readonly FactorLack[];
  /** `false`: the answer contains a secret, so it is not stored for a repeated Idempotency-Key. */
  receipt?: false;
  /** The answer depends on more than events, so the console fetches it again whenever it is shown. */
  volatile?: true;
  /**
   * The call costs much: it works long, it waits for somebody else's computer, or it sends a file that a caller may read
   * slowly. A workspace has a few calls of each kind under way at once, others wait for their turn, and more than that
   * are refused with 429.
   */
  costs?: 'work' | 'waiting' | 'file';
  /** Maximum size of the body in bytes, if the input can be larger than that of other calls (256 KiB). */
  maxBodyBytes?: number;
  /** Media types of the answer, if it is a file or a page instead of JSON. */
  produces?: readonly string[];
}

/**
 * `Sent`: the caller's input. `Given`: the validated input that the handler gets. `Answer`: the body of the answer. An
 * interface, so that the compiler compares its parameters by name and editors show them.
 */
export interface Call<Sent = unknown, Given = unknown, Answer = unknown> extends Omit<
  Declared,
  'access' | 'input' | 'answer'
> {
  /** `script.list` */
  readonly id: string;
  /** The first part of the path. */
  readonly noun: string;
  /** The minimum role that may make the call. */
  readonly access: AccessLevel;
  readonly method: 'GET' | 'POST';
  /** Path without the prefix: `script/list`. */
  readonly path: string;
  readonly input: z.ZodType<Given, Sent>;
  readonly answer: z.ZodType<Answer>;
}

/** A call that only reads. */
export interface Read<Sent = unknown, Given = unknown, Answer = unknown> extends Call<Sent, Given, Answer> {
  readonly shows: ReadModel | readonly ReadModel[];
}

/** A call that changes something. */
export interface Change<Sent = unknown, Given = unknown, Answer = unknown> extends Call<Sent, Given, Answer> {
  readonly shows?: never;
}

type CallOf<D extends Declared> = D extends { shows: ReadModel | readonly ReadModel[] }
  ? Read<z.input<D['input']>, z.output<D['input']>, z.output<D['answer']>>
  : Change<z.input<D['input']>, z.output<D['input']>, z.output<D['answer']>>;

export type Calls<D extends Record<string, Declared>> = { readonly [K in keyof D]: CallOf<D[K]> };

/** A constant of this type, whose lists and objects never change. */
type Constant<T> = T extends readonly (infer E)[]
  ? readonly Constant<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Constant<T[K]> }
    : T;

/** The examples that calls need, by their keys. */
type Examples<D extends Record<string, Declared>> = {
  readonly [K in keyof D]: Record<never, never> extends z.input<D[K]['input']>
    ? { readonly example?: Constant<z.input<D[K]['input']>> }
    : { readonly example: Constant<z.input<D[K]['input']>> };
};

/** The caller's input, the handler's input and the answer of a call: `Sent<typeof scripts.insert>`. */
export type Sent<C extends { input: z.ZodType }> = z.input<C['input']>;
export type InputOf<C extends { input: z.ZodType }> = z.output<C['input']>;
export type Answer<C extends { answer: z.ZodType }> = z.output<C['answer']>;

const joined = (...parts: string[]): string => parts.filter(Boolean).join('/');

/**
 * Declares the calls under one path segment: `calls('script', 'admin', { list: { … } })`.
 *
 * @param access the minimum role for those that do not say their own
 */
export const calls = <const D extends Record<string, Declared>>(
  prefix: string,
  access: AccessLevel,
  declared: D & Examples<D>,
): Calls<D> =>
  Object.fromEntries(
    Object.entries(declared).map(([key, one]) => [
      key,
      {
        method: 'POST',
        access,
        ...one,
        id: joined(prefix, key).replaceAll('/', '.'),
        noun: prefix.split('/')[0] || key,
        path: joined(prefix, one.path ?? key),
      },
    ]),
  ) as unknown as Calls<D>;

/** Whether the call only reads. */
export const isRead = (call: Pick<Call, 'shows'>): boolean => call.shows !== undefined;

/**
 * Where to send an input: path parameters come from it, and a GET has the rest in its query string.
 *
 * @returns the path without the prefix, and the body of a POST
 */
export const requestTo = (
  { path, method }: Pick<Call, 'path' | 'method'>,
  input: unknown,
): { path: string; body?: Record<string, unknown> } => {
  const rest = { ...(input as Record<string, unknown> | undefined) };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (method === 'POST') return { path: filled, body: rest };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  // Sent and never recorded, so it may differ between runtimes.
  // oxlint-disable-next-line quarterdeck/same-everywhere
  const query = new URLSearchParams(given as [string, string][]).toString();
  return { path: query === '' ? filled : `${filled}?${query}` };
};

/** @throws if two declarations share an id, or a method and a path */
export const contractOf = (nouns: readonly Record<string, Call>[]): readonly Call[] => {
  const all = nouns.flatMap((noun) => Object.values(noun));
  const seen = new Set<string>();
  for (const { id, method, path } of all)
    for (const name of [`the id ${id}`, `${method} ${path}`]) {
      if (seen.has(name)) throw new Error(`two calls are declared with ${name}`);
      seen.add(name);
    }
  return all;
};
