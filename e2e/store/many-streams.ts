import type { RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { aliasOf, newStream, renamed, several } from '../../testing/log-events';

/** Guarantees to a reader of many streams, tested on every engine. */
export const describeManyStreams = (store: () => EventStore): void => {
  describe('reading many streams', () => {
    const read = async (streams: string[], upTo?: string): Promise<Map<string, RecordedEvent[]>> => {
      const all = new Map<string, RecordedEvent[]>();
      for await (const page of store().readStreams(streams, { ...(upTo && { upTo }) })) {
        expect(page.length).toBeGreaterThan(0);
        for (const event of page) all.set(event.stream, [...(all.get(event.stream) ?? []), event]);
      }
      return all;
    };

    test('returns each one complete and in order, however long it is, and nothing for a missing one', async () => {
      const streams = Array.from({ length: 150 }, newStream);
      const [long = '', edge = ''] = streams;
      await store().append(long, several(1_203), 'no_stream');
      await store().append(edge, several(500), 'no_stream');
      for (const stream of streams.slice(2)) await store().append(stream, [renamed(stream)], 'no_stream');
      const all = await read([...streams, newStream(), long]);
      expect(all.size).toBe(streams.length);
      expect(all.get(long)?.map(({ revision }) => revision)).toEqual([...Array(1_203).keys()]);
      expect(all.get(edge)).toEqual(await store().readStream(edge));
      for (const stream of streams.slice(2)) expect(all.get(stream)?.map(aliasOf)).toEqual([stream]);
    });

    test('goes up to and including a position', async () => {
      const [before, over, after] = [newStream(), newStream(), newStream()];
      await store().append(before, several(3), 'no_stream');
      const { position } = await store().append(over, several(600), 'no_stream');
      await store().append(over, several(700), 599);
      await store().append(after, several(2), 'no_stream');
      const all = await read([after, over, before], position);
      const lengths = new Map([...all].map(([stream, events]) => [stream, events.length]));
      expect(lengths).toEqual(
        new Map([
          [before, 3],
          [over, 600],
        ]),
      );
      expect(all.get(over)?.at(-1)?.position).toBe(position);
    });

    test('of an empty list returns nothing', async () => {
      expect([...(await read([]))]).toEqual([]);
    });
  });
};
