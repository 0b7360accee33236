// covers: VAL-01, VAL-02
import {
  array,
  boolean,
  date,
  email,
  exactText,
  fieldMessages,
  integer,
  messages,
  numericId,
  object,
  password,
  text,
  uuid,
} from './rules';
import { serverInsert, serverUpdate } from './inputs';
import type { z } from 'zod';

const problem = (schema: z.ZodType, value: unknown): string | undefined => {
  const result = schema.safeParse(value);
  return result.success ? undefined : result.error.issues[0]?.message;
};

describe('the shared rules', () => {
  test.each([
    ['a missing text', text(), undefined, 'This field is required'],
    ['an empty text', text(), '', 'This field is required'],
    ['a text of spaces', text(), ' \t', 'This field is required'],
    ['null for a text', text(), null, 'This field is required'],
    ['a number for a text', text(), 5, 'expected type string'],
    ['a NUL in a text', text(), 'a\u0000b', messages.characters],
    ['half a character', text(), 'a\ud800', messages.characters],
    ['a line break in one line', text(), 'a\nb', messages.characters],
    ['an address with its password', text(), 'mysql://app:secret@db.example.test/shop', messages.password],
    ['a connection string', text(), 'host=db user=app password=secret', messages.password],
    ['a text too long', text(3), 'abcd', 'at most 3 characters are accepted'],
    [
      'an e-mail with a space before',
      email,
      ' a@b.ch',
      'email must not contain any whitespace (before or after)',
    ],
    ['no e-mail', email, 'a@', 'email invalid'],
    ['a wrong uuid', uuid, 'abc', 'uuid invalid'],
    ['a password of 8', password, '12345678', 'password length smaller than 8'],
    ['a missing number', integer(), undefined, 'This field is required'],
    ['a text for a number', integer(), '5', 'expected type number'],
    ['a fraction', integer(), 1.5, 'expected type integer'],
    ['a negative number', integer(), -1, 'negative numbers are not accepted'],
    ['a number that no int4 holds', integer(), 2 ** 31, 'numbers above 2147483647 are not accepted'],
    ['not a number', integer(), Number.NaN, 'expected type number'],
    ['the id 0', numericId(), 0, 'numbers below 1 are not accepted'],
    ['a day that does not exist', date(), '2026-02-29', messages.date],
    ['another date format', date(), '29.2.2024', messages.date],
    ['a year before 1900', date(), '1899-12-31', messages.date],
    ['no array', array(text()), 'a', 'array expected'],
    ['a text for a boolean', boolean, 'true', 'expected type boolean'],
    ['an array for an object', object({}), [], 'expected type object'],
  ] as [string, z.ZodType, unknown, string][])('refuse %s', (_name, schema, value, message) => {
    expect(problem(schema, value)).toBe(message);
  });

  test.each([
    [email, 'a.b@example.ch'],
    [password, '123456789'],
    [date(), '2024-02-29'],
    [numericId(), 1],
    [exactText(), ' Zürich 🚢'],
  ] as [z.ZodType, unknown][])('accept %#', (schema, value) => {
    expect(schema.parse(value)).toEqual(value);
  });

  test('keep a line without the spaces around it', () => {
    expect(text(5).parse(' web 1')).toBe('web 1');
    expect(problem(text(5), '  ')).toBe('This field is required');
  });

  test('compares ids in lower case', () => {
    expect(uuid.parse('0190A000-0000-7000-8000-00000000ABCD')).toBe('0190a000-0000-7000-8000-00000000abcd');
  });

  test('reports each field once, with its first message', () => {
    const result = serverInsert.safeParse({ alias: '', host: 'a b', port: 'x', surprise: 1 });
    expect(result.success).toBe(false);
    expect(fieldMessages(result.error!)).toEqual({
      alias: 'This field is required',
      host: 'Enter a host name or an IP address, without spaces.',
      port: 'expected type number',
      username: 'This field is required',
      root: 'This field is required',
      path: 'This field is required',
      nginxPath: 'This field is required',
      privateKey: 'This field is required',
      surprise: 'this key cannot be included',
    });
  });

  test('names a nested field by its path', () => {
    const result = serverUpdate.safeParse({ id: 'x', data: { alias: 'a', extra: true } });
    const fields = fieldMessages(result.error!);
    expect(fields.id).toBe('uuid invalid');
    expect(fields['data.host']).toBe('This field is required');
    expect(fields['data.extra']).toBe('this key cannot be included');
  });

  test('refuses a key called __proto__ like any other unknown key', () => {
    const result = object({}).safeParse(JSON.parse('{"__proto__": 1}'));
    expect(result.success ? {} : fieldMessages(result.error)).toEqual(
      JSON.parse('{"__proto__": "this key cannot be included"}'),
    );
  });

  test.each(['127.0.0.1', 'web-1.example.ch', '2001:db8::1', 'localhost', 'xn--zrich-kva.ch'])(
    '%s is a host',
    (host) => {
      expect(problem(serverInsert.shape.host, host)).toBeUndefined();
    },
  );

  test.each(['-oProxyCommand=x', 'a b', 'a..b', '$(id)', 'a;b', `${'a'.repeat(64)}.ch`])(
    '%s is not a host',
    (host) => {
      expect(problem(serverInsert.shape.host, host)).toBe(
        'Enter a host name or an IP address, without spaces.',
      );
    },
  );
});
