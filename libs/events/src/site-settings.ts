/**
 * Settings of locations and of whole sites, one entry each: how it is recorded, how it is judged, and how forms ask for
 * it. Events, calls and forms are derived from these tables; the generator of the nginx configuration has a table with
 * the same names. A setting that is absent has its default, which is what sites did before it existed.
 */
import { z } from 'zod';
import { boolean, numericId, oneOf, text } from './rules';
import { isNetwork, isOrigin, MAX_HEADER_KB, siteErrors } from './site-grammar';
import { locationSettingWords, siteSettingWords, type SettingWords } from './site-setting-words';

interface Setting extends SettingWords {
  /** As events record it. */
  stored: z.ZodType;
  /** As operators send it. */
  given: z.ZodType;
  input: 'checkbox' | 'number' | 'select' | 'text';
}

type Table = Readonly<Record<string, Setting>>;

const flag = (asked: SettingWords) =>
  ({ ...asked, input: 'checkbox', stored: z.boolean(), given: boolean }) as const;

const amount = (most: number, asked: SettingWords, least = 1) =>
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
  asked: SettingWords & { choices: Readonly<Record<V[number], string>> },
) => ({ ...asked, input: 'select', stored: z.enum(values), given: oneOf(values) }) as const;

/** The words of a line, however they are separated, each once. */
export const wordsOf = (line: string | undefined): string[] => [
  ...new Set((line ?? '').split(/[\s,]+/).filter((word) => word !== '')),
];

/** Several values in one line. The message names the one that is wrong. */
const several = (most: number, is: (word: string) => boolean, error: string, asked: SettingWords) =>
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
  singlePage: flag(locationSettingWords.singlePage),
  maxBody: amount(100_000, locationSettingWords.maxBody),
  maxHeader: amount(MAX_HEADER_KB, locationSettingWords.maxHeader, 4),
  frames: choice(['deny', 'sameOrigin', 'app'], locationSettingWords.frames),
  corsOrigins: several(50, isOrigin, siteErrors.origin, locationSettingWords.corsOrigins),
} as const satisfies Table;

export const siteSettings = {
  hsts: choice(['on', 'off', 'app'], siteSettingWords.hsts),
  trustedProxies: several(200, isNetwork, siteErrors.network, siteSettingWords.trustedProxies),
  realAddress: choice(['X-Forwarded-For', 'CF-Connecting-IP', 'X-Real-IP'], siteSettingWords.realAddress),
} as const satisfies Table;

export type LocationSetting = keyof typeof locationSettings;
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
