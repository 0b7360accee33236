/**
 * The shared validation rules of the specification (part 1, section 5), with its exact messages: one definition for
 * calls and forms. They also refuse what the database cannot store: NUL characters, lone surrogates, integers above
 * 2^31-1, and excessive length or depth.
 */
import { URL } from 'whatwg-url';
import { z } from 'zod';
import { hasPasswordInAddress } from './plain-secrets';

export const messages = {
  required: 'This field is required',
  type: (type: string) => `expected type ${type}`,
  unknownKey: 'this key cannot be included',
  emailWhitespace: 'email must not contain any whitespace (before or after)',
  emailInvalid: 'email invalid',
  uuidInvalid: 'uuid invalid',
  passwordShort: 'password length smaller than 8',
  negative: 'negative numbers are not accepted',
  date: 'date format not accepted, please pass YYYY-MM-DD',
  array: 'array expected',
  tooLong: (max: number) => `at most ${max} characters are accepted`,
  tooLarge: (max: number) => `numbers above ${max} are not accepted`,
  tooSmall: (min: number) => `numbers below ${min} are not accepted`,
  tooMany: (max: number) => `at most ${max} entries are accepted`,
  tooDeep: 'this is nested too deeply',
  tooManyBytes: (max: number) => `at most ${max} bytes of JSON are accepted`,
  characters: 'this text contains characters that cannot be stored',
  password: 'this address contains a password, and everybody could read it in the history: leave it out',
} as const;

const missing = (input: unknown): boolean => input === undefined || input === null;

/** Error message for an absent value or a wrong type. */
const typed = (type: string) => ({
  error: (issue: { input?: unknown }) => (missing(issue.input) ? messages.required : messages.type(type)),
});

// Built from code points, so that this file contains no invisible character.
const unstorable = new RegExp(`[${String.fromCharCode(0)}\\p{Surrogate}]`, 'u');
const control = /[\p{Cc}]/u;

const string = z
  .string(typed('string'))
  .refine((value) => !unstorable.test(value), { error: messages.characters, abort: true });

const oneLine = (value: typeof string, max: number) =>
  value
    .min(1, { error: messages.required, abort: true })
    .refine((value) => value.trim() !== '', { error: messages.required, abort: true })
    .max(max, { error: messages.tooLong(max), abort: true })
    .refine((value) => !control.test(value), { error: messages.characters });

/**
 * One line without the spaces around it: they come with pasted text, and nobody sees them. Text without any visible
 * character counts as missing.
 */
export const line = (max = 200) => oneLine(string.trim(), max);

/** The same, but no address with a password in it: names are in the log for ever. */
export const text = (max = 200) =>
  line(max).refine((typed) => !hasPasswordInAddress(typed), { error: messages.password });

/** One line as it is, for secrets and for what is compared exactly. */
export const exactText = (max = 200) => oneLine(string, max);

/** An http or https address. */
export const webAddress = (example: string) =>
  line(2000).refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), {
    error: `a web address is expected, such as ${example}`,
    abort: true,
  });

/** Text that may be empty. */
export const optionalText = (max = 200) => string.max(max, { error: messages.tooLong(max) }).optional();

/** One line that may be empty. */
export const optionalLine = (max = 200) =>
  string
    .trim()
    .max(max, { error: messages.tooLong(max) })
    .optional()
    .refine((value) => value === undefined || !control.test(value), { error: messages.characters });

/** Text of several lines, such as a key. */
export const longText = (max: number) =>
  string.min(1, { error: messages.required, abort: true }).max(max, { error: messages.tooLong(max) });

/** Text of several lines that must be given and may be empty. */
export const anyText = (max: number) => string.max(max, { error: messages.tooLong(max) });

export const email = string
  .min(1, { error: messages.required, abort: true })
  .max(254, { error: messages.tooLong(254), abort: true })
  .refine((value) => value.trim() === value, { error: messages.emailWhitespace, abort: true })
  .pipe(z.email({ error: messages.emailInvalid }));

/** Ids are compared as text, so they are converted to the stored form. */
export const uuid = string
  .min(1, { error: messages.required, abort: true })
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, { error: messages.uuidInvalid })
  .transform((value) => value.toLowerCase());

export const password = string
  .min(1, { error: messages.required, abort: true })
  .min(9, { error: messages.passwordShort, abort: true })
  .max(1024, { error: messages.tooLong(1024) });

const MAX_INTEGER = 2 ** 31 - 1;

export const integer = (max = MAX_INTEGER) =>
  z
    .number(typed('number'))
    .refine(Number.isInteger, { error: messages.type('integer'), abort: true })
    .min(0, { error: messages.negative, abort: true })
    .max(max, { error: messages.tooLarge(max) });

/** A numeric id, at least 1. */
export const numericId = (max = MAX_INTEGER) =>
  integer(max).refine((value) => value > 0, { error: messages.tooSmall(1) });

export const boolean = z.boolean(typed('boolean'));

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** `YYYY-MM-DD`, an existing day. */
export const date = (years: { from: number; to: number } = { from: 1900, to: 2300 }) =>
  string.min(1, { error: messages.required, abort: true }).refine(
    (value) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
      if (!match) return false;
      const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
      const inRange = year >= years.from && year <= years.to && month >= 1 && month <= 12;
      return inRange && day >= 1 && day <= daysOf(year, month);
    },
    { error: messages.date },
  );

/** An instant as `Date.toISOString` prints it. */
export const instant = string.pipe(
  z.iso.datetime({ error: messages.type('ISO date and time'), offset: true }),
);

export const array = <S extends z.ZodType>(item: S, max = 1000) =>
  z
    .array(item, { error: (issue) => (missing(issue.input) ? messages.required : messages.array) })
    .max(max, { error: messages.tooMany(max) });

const MAX_DEPTH = 50;

/** Why JSON cannot be stored; undefined if it can be. */
const unstorableIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return unstorable.test(value) ? messages.characters : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return messages.tooDeep;
  for (const part of Object.entries(value).flat()) {
    const why = unstorableIn(part, depth + 1);
    if (why !== undefined) return why;
  }
  return undefined;
};

const jsonMessage = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'unrecognized_keys') return messages.unknownKey;
  if (issue.code !== 'invalid_type') return undefined;
  return missing(issue.input) ? messages.required : messages.type(issue.expected);
};

type JsonSchema = Readonly<Record<string, unknown>>;

const described = (schema: JsonSchema, nullable: boolean): JsonSchema =>
  nullable ? { anyOf: [schema, { type: 'null' }] } : schema;

/**
 * A value of JSON.
 *
 * @param schema a JSON Schema, which also describes the value
 * @param max number of bytes as JSON
 */
export const json = (schema: JsonSchema, max: number, nullable = false) => {
  const inner = z.fromJSONSchema(schema);
  return z
    .unknown()
    .superRefine((value, context) => {
      const tell = (message: string, path: PropertyKey[] = []): void =>
        context.addIssue({ code: 'custom', message, path });
      if (value === undefined || (value === null && !nullable && schema['type'] !== 'null'))
        return tell(messages.required);
      if (value === null) return;
      // The depth first: what follows works its way down.
      const why = unstorableIn(value);
      if (why !== undefined) return tell(why);
      if (new TextEncoder().encode(JSON.stringify(value)).length > max)
        return tell(messages.tooManyBytes(max));
      for (const issue of inner.safeParse(value, { error: jsonMessage }).error?.issues ?? [])
        for (const path of placesOf(issue)) tell(issue.message, path);
    })
    .meta(described(schema, nullable));
};

/** Recorded JSON: what was accepted stays readable when its schema becomes stricter. */
export const anyJson = (schema: JsonSchema, nullable = false) =>
  z
    .unknown()
    .refine((value) => value !== undefined, { error: messages.required })
    .meta(described(schema, nullable));

/** One of a fixed set of words. */
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, {
    error: (issue) =>
      missing(issue.input) || issue.input === '' ? messages.required : messages.type(values.join(' | ')),
  });

/** The same options by their numbers too, which start at 1 and may be the text of a select. */
export const numbered = <V extends string>(option: z.ZodType<V>, of: readonly V[]) =>
  z
    .union([option, z.literal(of.flatMap((_, at) => [at + 1, String(at + 1)]))], {
      error: (issue) =>
        missing(issue.input) || issue.input === '' ? messages.required : messages.type(of.join(' | ')),
    })
    .transform((given) => of[Number(given) - 1] ?? (given as V));

/** An object without unknown keys. */
export const object = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') return messages.unknownKey;
      return missing(issue.input) ? messages.required : messages.type('object');
    },
  });

/** The places that an issue is about: each key that is not known, or its own. */
const placesOf = (issue: z.core.$ZodIssue): string[][] => {
  const path = issue.path.map(String);
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
};

/** The first message of each field, by its dotted path. Messages about the whole input are under `''`. */
export const fieldMessages = (error: z.core.$ZodError): Record<string, string> => {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    for (const place of placesOf(issue)) {
      const name = place.join('.');
      if (!Object.hasOwn(fields, name))
        Object.defineProperty(fields, name, { value: issue.message, enumerable: true, configurable: true });
    }
  }
  return fields;
};
