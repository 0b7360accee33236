// covers: DB-01
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { Connection } from 'pg';
import { AnswerTooLarge } from './bounded-stream';
import { checkedMessages, UnknownAnswer } from './postgres-messages';

const message = (letter: string, body: Buffer | string): Buffer => {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** What a PostgreSQL sends while somebody signs in with SCRAM and asks one question. */
const honest = [
  message('R', hex('0000000a 534352414d2d5348412d32353600 00')),
  message('R', hex('0000000b 723d61')),
  message('R', hex('0000000c 763d61')),
  message('R', hex('00000000')),
  message('S', 'server_version\u000017.2\u0000'),
  message('K', hex('00000001 00000002')),
  message('Z', 'I'),
  message('1', ''),
  message('2', ''),
  message('t', hex('0001 00000019')),
  message('T', hex('0001 6100 00000000 0000 00000019 ffff ffffffff 0000')),
  message('D', hex('0001 00000002 6869')),
  message('D', hex('0001 ffffffff')),
  message('N', 'SNOTICE\u0000C00000\u0000Mbe warned\u0000\u0000'),
  message('E', 'SERROR\u0000C42000\u0000Mno\u0000\u0000'),
  message('A', Buffer.concat([hex('00000007'), Buffer.from('channel\u0000text\u0000')])),
  message('C', 'SELECT 2\u0000'),
  message('I', ''),
  message('n', ''),
  message('s', ''),
  message('3', ''),
];

/** The driver's own parser behind the check. */
const taken = (chunks: readonly Buffer[]): { names: string[]; refused: unknown } => {
  const stream = new EventEmitter();
  const names: string[] = [];
  let refused: unknown;
  const checked = checkedMessages(
    stream,
    () => undefined,
    (error) => (refused = error),
  );
  const driver = new Connection({ stream: stream as never }) as unknown as {
    on(event: 'message', take: (message: { name: string }) => void): void;
    attachListeners(from: NodeJS.EventEmitter): void;
  };
  driver.on('message', ({ name }) => names.push(name));
  driver.attachListeners(checked);
  for (const chunk of chunks) stream.emit('data', chunk);
  stream.emit('end');
  return { names, refused };
};

test('every message of an honest server reaches the driver, in whatever pieces it comes', () => {
  const whole = Buffer.concat(honest);
  const expected = taken([whole]);
  expect([expected.names.length, expected.refused]).toEqual([honest.length, undefined]);
  for (const size of [1, 3, 7, 64])
    expect(
      taken(
        Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
          whole.subarray(at * size, (at + 1) * size),
        ),
      ),
    ).toEqual(expected);
});

test.each([
  ['an unknown request to identify', '52 00000008 00000063'],
  ['an error without its end', '45 00000004'],
  ['a notice whose text has no end', '4e 00000005 53'],
  ['a length below its own', '44 00000000'],
  ['an empty length', '5a 00000003'],
  ['a negative length', '44 ffffffff'],
  ['a row that is shorter than it says', '44 0000000a 0001 00000009'],
  ['a row that is longer than it says', '44 0000000b 0001 ffffffff 00'],
  ['a value of a negative length', '44 0000000a 0001 fffffffe'],
  ['a parameter without its value', '53 00000006 6100'],
  ['columns without their types', '54 00000008 0001 6100'],
  ['an unknown letter', '7a 00000004'],
  ['data of a COPY that nobody asked for', '64 00000005 00'],
])('%s is refused', (_what, bytes) => {
  expect(taken([hex(bytes)])).toEqual({ names: [], refused: expect.any(UnknownAnswer) });
});

test.each(['54 00000006 0681', '44 00000006 ffff', '74 00000006 7fff'])(
  'more columns than PostgreSQL has are refused (%s)',
  (bytes) => expect(taken([hex(bytes)]).refused).toBeInstanceOf(AnswerTooLarge),
);

test('nothing is passed on after what was refused', () => {
  expect(taken([message('Z', 'I'), hex('4500000004'), message('Z', 'I')]).names).toEqual(['readyForQuery']);
});

test('no bytes make the driver throw or search for ever', () => {
  const altered = fc
    .tuple(
      fc.constantFrom(...honest),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      fc.option(fc.nat()),
    )
    .map(([one, changes, cut]) => {
      const bytes = Buffer.from(one);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return cut === null ? bytes : bytes.subarray(0, cut % (bytes.length + 1));
    });
  fc.assert(
    fc.property(fc.array(altered, { maxLength: 5 }), (chunks) => {
      taken(chunks);
    }),
    { numRuns: 3000 },
  );
});
