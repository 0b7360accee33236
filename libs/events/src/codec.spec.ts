import { z } from 'zod';
import { codecOf, defineEvent, type NewEvent, type RecordedEvent } from '@quarterdeck/log';
import { codec } from './codec';
import { isEventType } from './catalogue';
import { InvalidEvent } from '@quarterdeck/log/store';

const meta = {
  id: '01940000-0000-7000-8000-000000000001',
  at: '2026-11-20T10:00:00.000Z',
  actor: 'system',
  workspace: '-',
  correlationId: 'c',
  causationId: 'd',
  v: '1',
};
const renamed = (data: unknown, changed: object = {}): NewEvent => ({
  type: 'ServerRenamed',
  data,
  meta: { ...meta, ...changed },
});
const problem = (event: NewEvent): string => {
  try {
    codec.encode(event);
    return 'accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEvent);
    return (error as InvalidEvent).message;
  }
};

describe('encoding an event', () => {
  test('writes only the fields of the schema, and the meta in one fixed order', () => {
    const { id, at, ...others } = meta;
    const event = {
      type: 'ServerRenamed',
      data: { alias: 'web', more: 1 },
      meta: { ...others, extra: 'x', at, id },
    };
    expect(codec.encode(event)).toEqual({
      id: meta.id,
      type: 'ServerRenamed',
      data: '{"alias":"web"}',
      meta: JSON.stringify(meta),
    });
  });

  test('writes the version that the data was checked against', () => {
    const two = codecOf({ Grown: defineEvent(z.object({ b: z.int() }), (old) => old) });
    expect(JSON.parse(two.encode({ type: 'Grown', data: { b: 1 }, meta }).meta)).toMatchObject({ v: '2' });
  });

  test.each([
    ['another type of value', renamed({ alias: 1 }), /ServerRenamed .*alias: /],
    ['a missing value', renamed({}), /ServerRenamed .*alias: /],
    ['no data', renamed(undefined), /ServerRenamed .*data: /],
    ['an unknown type', { ...renamed({ alias: 'a' }), type: 'ServerSunk' }, /ServerSunk .*no such type/],
    ['a type that every object has', { ...renamed({}), type: 'constructor' }, /constructor .*no such type/],
    ['an id that is none', renamed({ alias: 'a' }, { id: 'x' }), /meta\.id/],
    ['an id in capitals', renamed({ alias: 'a' }, { id: meta.id.replace(/0/g, 'A') }), /meta\.id/],
    ['a missing actor', renamed({ alias: 'a' }, { actor: undefined }), /meta\.actor/],
    ['NUL in data', renamed({ alias: `a${String.fromCharCode(0)}` }), /data: NUL/],
    ['half a surrogate pair in data', renamed({ alias: `${String.fromCharCode(0xdc00)}` }), /data: NUL/],
    ['NUL in meta', renamed({ alias: 'a' }, { actor: String.fromCharCode(0) }), /meta: NUL/],
  ])('refuses %s by name', (_, event, message) => {
    expect(problem(event)).toMatch(message);
  });

  test.each(['\\u0000', '\\\\u0000', '\\ud800', '🚀', '\u0001', '\u2028'])(
    'accepts %j, which only looks like it',
    (alias) => {
      expect(JSON.parse(codec.encode(renamed({ alias })).data)).toEqual({ alias });
    },
  );

  test('keeps text unchanged after a round trip', () => {
    const strange = codecOf({ Any: defineEvent(z.record(z.string(), z.json())) });
    const data = { b: [1e21, 1e-7, -0, 0.1, 5e-324], 10: null, a: { 2: true, 1: false, '': '' } };
    const { data: text } = strange.encode({ type: 'Any', data, meta });
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  });
});

describe('decoding an event', () => {
  const grown = codecOf({
    Grown: defineEvent(
      z.object({ c: z.int() }),
      (old) => ({ b: (old as { a: number }).a + 1 }),
      (old) => ({ c: (old as { b: number }).b * 10 }),
    ),
  });
  const stored = (v: string, data: unknown, type = 'Grown'): RecordedEvent => ({
    type,
    data,
    meta: { ...meta, v },
    stream: 's-1',
    revision: 4,
    position: '7',
    recordedAt: meta.at,
  });

  test.each([
    ['1', { a: 1 }, { c: 20 }],
    ['2', { b: 3 }, { c: 30 }],
    ['3', { c: 4 }, { c: 4 }],
  ])('brings version %s up to the newest', (v, data, expected) => {
    const { stored: kept, ...decoded } = grown.decode(stored(v, data));
    expect(decoded).toEqual(stored('3', expected));
    // The stored form is kept, because the chain covers it.
    expect(kept).toEqual(v === '3' ? undefined : { type: 'Grown', data, meta: { ...meta, v } });
  });

  test('leaves data of an unknown newer version unchanged', () => {
    expect(grown.decode(stored('9', { z: 1 }))).toEqual(stored('9', { z: 1 }));
  });

  test('leaves an event of unknown type unchanged, and isEventType says so', () => {
    const unknown = stored('1', { anything: true }, 'SomethingElse');
    expect(codec.decode(unknown)).toEqual(unknown);
    expect(isEventType(unknown.type)).toBe(false);
  });
});
