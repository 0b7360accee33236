/**
 * Settings of locations and of whole sites, one entry each: how it is recorded, how it is judged, and how forms ask for
 * it. Events, calls and forms are derived from these tables; the generator of the nginx configuration has a table with
 * the same names. A setting that is absent has its default, which is what sites did before it existed.
 */
import { z } from 'zod';
import { boolean, numericId, oneOf, text } from './rules';
import { isNetwork, isOrigin, MAX_HEADER_KB, siteErrors } from './site-grammar';

interface Asked {
  label: string;
  help: string;
  placeholder?: string;
  /** Choices by value. */
  choices?: Readonly<Record<string, string>>;
}

interface Setting extends Asked {
  /** As events record it. */
  stored: z.ZodType;
  /** As operators send it. */
  given: z.ZodType;
  input: 'checkbox' | 'number' | 'select' | 'text';
}

type Table = Readonly<Record<string, Setting>>;

const flag = (asked: Asked) =>
  ({ ...asked, input: 'checkbox', stored: z.boolean(), given: boolean }) as const;

const amount = (most: number, asked: Asked, least = 1) =>
  ({
    ...asked,
    input: 'number',
    stored: z.int(),
    given: numericId(most).refine((value) => value >= least, {
      error: `numbers below ${least} are not accepted`,
    }),
  }) as const;

const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  asked: Asked & { choices: Readonly<Record<V[number], string>> },
) => ({ ...asked, input: 'select', stored: z.enum(values), given: oneOf(values) }) as const;

/** The words of a line, however they are separated, each once. */
export const wordsOf = (line: string | undefined): string[] => [
  ...new Set((line ?? '').split(/[\s,]+/).filter((word) => word !== '')),
];

/** Several values in one line. The message names the one that is wrong. */
const several = (most: number, is: (word: string) => boolean, error: string, asked: Asked) =>
  ({
    ...asked,
    input: 'text',
    stored: z.string(),
    given: text(4000)
      .transform((line) => wordsOf(line.toLowerCase()))
      .check(({ value, issues }) => {
        const wrong = value.find((word) => !is(word));
        const message = wrong === undefined ? `at most ${most} entries are accepted` : `${wrong}: ${error}`;
        if (wrong !== undefined || value.length > most)
          issues.push({ code: 'custom', message, input: value });
      })
      .transform((all) => all.join(' ')),
  }) as const;

export const locationSettings = {
  singlePage: flag({
    label: 'Single-page app',
    help: 'Unknown paths get index.html of this location, so that the app can handle them.',
  }),
  maxBody: amount(100_000, {
    label: 'Largest upload in MB',
    help: 'A larger request is refused with 413. Default: 64.',
    placeholder: '64',
  }),
  maxHeader: amount(
    MAX_HEADER_KB,
    {
      label: 'Largest response header in kB',
      help: 'A larger one, usually by its cookies, becomes a 502. Default: 16.',
      placeholder: '16',
    },
    4,
  ),
  frames: choice(['deny', 'sameOrigin', 'app'], {
    label: 'Frames',
    help: 'Which pages may show this one in a frame. Default: those of the same site, unless the app says something else.',
    choices: {
      deny: 'In no page',
      sameOrigin: 'In pages of the same site',
      app: 'As the app says; if it says nothing, in every page',
    },
  }),
  corsOrigins: several(50, isOrigin, siteErrors.origin, {
    label: 'Allowed origins',
    help: 'Pages of these sites may send cookies, too. Separate them with spaces. If empty: pages of every site, without cookies.',
    placeholder: 'https://shop.example.org https://admin.example.org',
  }),
} as const satisfies Table;

export const siteSettings = {
  hsts: choice(['on', 'off', 'app'], {
    label: 'HTTPS only (HSTS)',
    help: 'Default: on, for a year.',
    choices: {
      on: 'On: browsers use only HTTPS for a year',
      off: 'Off: browsers forget it at their next visit',
      app: 'As the app says',
    },
  }),
  trustedProxies: several(200, isNetwork, siteErrors.network, {
    label: 'Trusted proxies',
    help: 'Addresses or networks of proxies in front of this server. Only from them are the address of the visitor and the protocol believed. Separate them with spaces.',
    placeholder: '10.0.0.0/8 2001:db8::/32',
  }),
  realAddress: choice(['X-Forwarded-For', 'CF-Connecting-IP', 'X-Real-IP'], {
    label: 'Address header',
    help: 'In which the trusted proxies name the address of the visitor. Default: X-Forwarded-For.',
    choices: {
      'X-Forwarded-For': 'X-Forwarded-For (most proxies)',
      'CF-Connecting-IP': 'CF-Connecting-IP (Cloudflare)',
      'X-Real-IP': 'X-Real-IP',
    },
  }),
} as const satisfies Table;

type Names<T extends Table> = keyof T & string;
export type LocationSetting = Names<typeof locationSettings>;
export type SiteSetting = Names<typeof siteSettings>;
type Values<T extends Table> = { [K in keyof T]?: z.infer<T[K]['stored']> | undefined };
export type LocationSettings = Values<typeof locationSettings>;
export type SiteSettings = Values<typeof siteSettings>;

const each = (table: Table, of: (setting: Setting) => z.ZodType) =>
  Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, of(setting)]));

/** Fields of an event. */
export const storedFields = <T extends Table>(table: T) =>
  each(table, ({ stored }) => stored.optional()) as { [K in keyof T]: z.ZodOptional<T[K]['stored']> };

/** Fields of a call. */
export const givenFields = <T extends Table>(table: T) =>
  each(table, ({ given }) => given.optional()) as { [K in keyof T]: z.ZodOptional<T[K]['given']> };

/** Fields of a call that changes some of them: `null` clears one. */
export const changedFields = <T extends Table>(table: T) =>
  each(table, ({ given }) => given.nullable().optional()) as {
    [K in keyof T]: z.ZodOptional<z.ZodNullable<T[K]['given']>>;
  };

/** What is wrong with recorded values, by name. */
export const settingProblems = (table: Table, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { given }]) => {
      if (values[name] === undefined) return [];
      const { error } = given.safeParse(values[name]);
      return error ? [[name, error.issues[0]?.message ?? '']] : [];
    }),
  );

/** `HTTPS only (HSTS): As the app says, Trusted proxies: 10.0.0.0/8` */
export const settingsInWords = (table: Table, values: Readonly<Record<string, unknown>>): string =>
  Object.entries(table)
    .filter(([name]) => values[name] !== undefined)
    .map(
      ([name, { label, choices }]) => `${label}: ${choices?.[String(values[name])] ?? String(values[name])}`,
    )
    .join(', ') || 'the default settings';
