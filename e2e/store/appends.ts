import { InvalidEvent, WrongExpectedRevision, type EventStore } from '@quarterdeck/log/store';
import { aliasOf, appendAtEnd, newStream, renamed, several } from '../../testing/log-events';

/** Guarantees to a writer, tested on every engine. */
export const describeAppends = (store: () => EventStore, second: () => EventStore): void => {
  describe('appending', () => {
    test('counts revisions from 0 and returns the last one and its position', async () => {
      const stream = newStream();
      const before = await store().head();
      const first = await store().append(stream, several(3), 'no_stream');
      expect(first.revision).toBe(2);
      const second = await store().append(stream, several(1), 2);
      expect(second.revision).toBe(3);
      const events = await store().readStream(stream);
      expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
      expect(events[2]?.position).toBe(first.position);
      expect(await store().head()).toBe(second.position);
      expect(
        BigInt(second.position) > BigInt(first.position) && BigInt(first.position) > BigInt(before),
      ).toBe(true);
    });

    test.each([
      ['no_stream', 'a new stream', 0, 'no_stream'],
      ['the exact revision', 'an old stream', 2, 1],
    ] as const)('accepts %s of %s', async (_, __, length, expected) => {
      const stream = newStream();
      if (length > 0) await store().append(stream, several(length), 'no_stream');
      await expect(store().append(stream, several(1), expected)).resolves.toMatchObject({ revision: length });
    });

    test.each([
      ['no_stream', 'an old stream', 2, 'no_stream', 1],
      ['a lower revision', 'an old stream', 3, 1, 2],
      ['a higher revision', 'an old stream', 2, 5, 1],
      ['a revision', 'a new stream', 0, 0, -1],
    ] as const)(
      'refuses %s of %s, and reports the current revision',
      async (_, __, length, expected, actual) => {
        const stream = newStream();
        if (length > 0) await store().append(stream, several(length), 'no_stream');
        const refused = store().append(stream, several(1), expected);
        await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevision);
        await expect(refused).rejects.toMatchObject({ stream, expected, actual });
        expect(await store().readStream(stream)).toHaveLength(length);
      },
    );

    test('treats the same ids as the same events, whatever was appended to the stream meanwhile', async () => {
      const stream = newStream();
      const events = several(2);
      const first = await store().append(stream, events, 'no_stream');
      expect(await store().append(stream, events, 'no_stream')).toEqual(first);
      await store().append(stream, several(1), 1);
      expect(await store().append(stream, events, 'no_stream')).toEqual(first);
      expect(await store().readStream(stream)).toHaveLength(3);
    });

    test('treats the same ids as the same events, whatever revision the repetition expects', async () => {
      const stream = newStream();
      const events = several(2);
      const first = await store().append(stream, events, 'no_stream');
      const { revision } = await store().append(stream, several(3), 1);
      for (const expected of [revision, 1, 7, 'no_stream'] as const)
        expect(await store().append(stream, events, expected)).toEqual(first);
      const again = await store().append(stream, several(1, 'next'), revision);
      expect(await store().append(stream, events, again.revision)).toEqual(first);
      expect(await store().readStream(stream)).toHaveLength(6);
    });

    test('treats the same ids as the same events in another process that has not read the stream before', async () => {
      const stream = newStream();
      const events = several(2);
      const first = await store().append(stream, events, 'no_stream');
      await store().append(stream, several(3), 1);
      expect(await second().append(stream, events, 4)).toEqual(first);
      await second().readStream(stream);
      expect(await second().append(stream, events, 4)).toEqual(first);
      expect(await second().readStream(stream)).toHaveLength(5);
    });

    test('refuses an append of which a part is in the stream already', async () => {
      const stream = newStream();
      const events = several(2);
      await store().append(stream, events, 'no_stream');
      const mixed = [events[1]!, renamed('new')];
      await expect(store().append(stream, mixed, 1)).rejects.toBeInstanceOf(InvalidEvent);
      expect(await store().readStream(stream)).toHaveLength(2);
    });

    test('writes a command once even if it arrives a hundred times at once', async () => {
      const stream = newStream();
      const events = several(2);
      const results = await Promise.all(
        Array.from({ length: 100 }, () => store().append(stream, events, 'no_stream')),
      );
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      expect(await store().readStream(stream)).toHaveLength(2);
    });

    test('lets exactly one of 20 concurrent writers have each revision', async () => {
      const stream = newStream();
      let conflicts = 0;
      const writer = async (name: number) => {
        let length = 0;
        for (let own = 0; own < 3;) {
          try {
            const expected = length === 0 ? 'no_stream' : length - 1;
            length = (await store().append(stream, [renamed(`${name}/${own}`)], expected)).revision + 1;
            own += 1;
          } catch (error) {
            expect(error).toBeInstanceOf(WrongExpectedRevision);
            length = (error as WrongExpectedRevision).actual + 1;
            conflicts += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, name) => writer(name)));
      const events = await store().readStream(stream);
      expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: 60 }, (_, index) => index));
      expect(new Set(events.map(aliasOf)).size).toBe(60);
      expect(conflicts).toBeGreaterThan(0);
    });

    test('does not let one refused append affect others', async () => {
      const streams = Array.from({ length: 10 }, newStream);
      const results = await Promise.allSettled([
        ...streams.map((stream) => store().append(stream, several(2), 'no_stream')),
        store().append(newStream(), [renamed('lost')], 7),
        store().append(newStream(), [{ ...renamed('x'), data: { alias: 1 } }], 'no_stream'),
        store().append(newStream(), [renamed(`a${String.fromCharCode(0)}b`)], 'no_stream'),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
      for (const stream of streams) expect(await store().readStream(stream)).toHaveLength(2);
    });

    test('refuses data that does not fit its schema, with type and path, and writes nothing of the append', async () => {
      const stream = newStream();
      const bad = store().append(
        stream,
        [renamed('good'), { ...renamed('x'), data: { alias: 1 } }],
        'no_stream',
      );
      await expect(bad).rejects.toBeInstanceOf(InvalidEvent);
      await expect(bad).rejects.toThrow(/ServerRenamed.*alias/);
      expect(await store().readStream(stream)).toEqual([]);
    });

    test('refuses NUL characters and lone surrogates', async () => {
      for (const code of [0, 0xd800, 0xdfff]) {
        const bad = store().append(newStream(), [renamed(`a${String.fromCharCode(code)}`)], 'no_stream');
        await expect(bad).rejects.toBeInstanceOf(InvalidEvent);
      }
    });

    test('returns every character unchanged', async () => {
      const stream = newStream();
      const texts = [
        'Grüße 你好 🚀 é\u0301',
        'a\\u0000b',
        '"\\/\b\f\n\r\t\u0001\u007f\u2028',
        '__proto__',
        ' ',
      ];
      await store().append(
        stream,
        texts.map((text) => renamed(text)),
        'no_stream',
      );
      expect((await store().readStream(stream)).map(aliasOf)).toEqual(texts);
    });

    test('stores an event of 1 MB', async () => {
      const stream = newStream();
      const text = 'ä'.repeat(250_000) + 'x'.repeat(500_000);
      await store().append(stream, [renamed(text)], 'no_stream');
      expect((await store().readStream(stream)).map(aliasOf)).toEqual([text]);
    });

    test('returns events as they were appended, with their place and the instant at which the log stored them', async () => {
      const stream = newStream();
      const event = renamed('whole');
      const { position } = await store().append(stream, [event], 'no_stream');
      const [read] = await store().readStream(stream);
      expect(read).toEqual({
        ...event,
        stream,
        revision: 0,
        position,
        recordedAt: expect.any(String) as string,
      });
      expect(new Date(read!.recordedAt).toISOString()).toBe(read!.recordedAt);
    });
  });

  describe('reading', () => {
    test('reads a stream from a revision, up to a limit', async () => {
      const stream = newStream();
      await store().append(stream, several(10), 'no_stream');
      const events = await store().readStream(stream, { from: 4, limit: 3 });
      expect(events.map(aliasOf)).toEqual(['event 4', 'event 5', 'event 6']);
      expect(await store().readStream(stream, { from: 10 })).toEqual([]);
      expect(await store().readStream(newStream())).toEqual([]);
    });

    test('continues after 1,000 abandoned reads of every kind', async () => {
      const stream = newStream();
      // More than a reader takes before it requests more.
      await store().append(stream, several(40, 'x'.repeat(4_000)), 'no_stream');
      const start = await store().head();
      await store().append(newStream(), several(40, 'x'.repeat(4_000)), 'no_stream');
      const leave = async (): Promise<void> => {
        for await (const _ of store().readStreams([stream])) return;
      };
      for (let turn = 0; turn < 200; turn += 1) {
        await store().head();
        expect(await store().readAll(start, { limit: 1 })).toHaveLength(1);
        expect(await store().readStream(stream, { from: 3, limit: 1 })).toHaveLength(1);
        await leave();
        const delivered = new Promise<void>((resolve) => {
          const subscription = store().subscribe(start, () => void subscription.stop().then(resolve), {
            batchSize: 1,
          });
        });
        await delivered;
      }
      await expect(store().append(stream, several(1), 39)).resolves.toMatchObject({ revision: 40 });
    });

    test('reads the log in order from a position, up to a limit', async () => {
      const before = await store().head();
      const streams = [newStream(), newStream()];
      for (let index = 0; index < 6; index += 1) {
        await appendAtEnd(store(), streams[index % 2]!, [renamed(`turn ${index}`)]);
      }
      const first = await store().readAll(before, { limit: 4 });
      expect(first.map(aliasOf)).toEqual(['turn 0', 'turn 1', 'turn 2', 'turn 3']);
      const rest = await store().readAll(first[3]!.position);
      expect(rest.map(aliasOf)).toEqual(['turn 4', 'turn 5']);
      expect(await store().readAll(await store().head())).toEqual([]);
    });
  });
};
