/**
 * What a call is: one declaration, from which the route, its checks, its description, the console's endpoint and the
 * tests that walk all calls are derived.
 */
import type { ReadModel, Role } from '@quarterdeck/events';
import type { z } from 'zod';

/** `local`: anybody who asks from the machine itself. */
export type AccessLevel = 'public' | 'local' | Role;

/** As it is written. Without a method it is a POST; with `shows` it only reads. */
export interface Declared {
  /** One line for the API's description. */
  summary: string;
  /** The least role that may call it. */
  access: AccessLevel;
  input: z.ZodType;
  answer: z.ZodType;
  /** The path's last parts, when they differ from the key: `update/private-key`. `:name` is taken from the input. */
  path?: string;
  method?: 'GET' | 'POST';
  /** It only reads, and shows these read models; `[]`: what no event makes stale. */
  shows?: ReadModel | readonly ReadModel[];
  /** It makes these read models stale; with an id in the input, also that row. */
  stales?: ReadModel | readonly ReadModel[];
  /** The id in its input is not a row's: it shows the list, or makes every row stale. */
  wide?: true;
  /** Also answers about an instant of the past (`X-At`). */
  asOf?: true;
  /** `false`: the answer holds a secret, so none is kept for a repeated Idempotency-Key. */
  receipt?: false;
  /** The answer depends on more than events, so the console asks again whenever it is shown. */
  volatile?: true;
  /** Media types of an answer that is a file or a page instead of JSON. */
  produces?: readonly string[];
}

/**
 * `Sent`: what the caller gives. `Given`: what the handler gets, after the checks. `Answer`: the body of the answer.
 * An interface, so that the compiler compares its parameters by name and an editor shows them.
 */
export interface Call<Sent = unknown, Given = unknown, Answer = unknown> extends Omit<
  Declared,
  'input' | 'answer'
> {
  /** `script.list` */
  readonly id: string;
  /** The first part of the path. */
  readonly noun: string;
  readonly method: 'GET' | 'POST';
  /** Without the prefix: `script/list`. */
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

/** What a caller sends, what a handler gets, what both agree to be the answer: `Sent<typeof scripts.insert>`. */
export type Sent<C extends { input: z.ZodType }> = z.input<C['input']>;
export type Given<C extends { input: z.ZodType }> = z.output<C['input']>;
export type Answer<C extends { answer: z.ZodType }> = z.output<C['answer']>;

const joined = (...parts: string[]): string => parts.filter(Boolean).join('/');

/** The calls below one part of the path: `calls('script', { list: { … } })`. */
export const calls = <const D extends Record<string, Declared>>(prefix: string, declared: D): Calls<D> =>
  Object.fromEntries(
    Object.entries(declared).map(([key, one]) => [
      key,
      {
        method: 'POST',
        ...one,
        id: joined(prefix, key).replaceAll('/', '.'),
        noun: prefix.split('/')[0] || key,
        path: joined(prefix, one.path ?? key),
      },
    ]),
  ) as unknown as Calls<D>;

/** Whether it leaves everything as it is. */
export const isRead = (call: Pick<Call, 'shows'>): boolean => call.shows !== undefined;

/** @throws when two declarations share an id, or a method and a path */
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
