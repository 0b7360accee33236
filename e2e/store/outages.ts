import { StoreUnavailable, type EventStore } from '@quarterdeck/log/store';
import { Collector, expectWhole } from './collector';
import { appendAtEnd, newStream, renamed, several } from '../../testing/log-events';
import { insist } from './subscriptions';

export interface Outage {
  /** Breaks every connection and accepts none. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** Guarantees while the server is down, tested on every engine. */
export const describeOutages = (store: () => EventStore, outage: Outage): void => {
  describe('losing the server', () => {
    test('under load loses and duplicates nothing, and subscribers continue by themselves', async () => {
      const start = await store().head();
      const collector = new Collector(store(), start);
      await collector.until(({ caughtUp }) => caughtUp > 0);
      const streams = Array.from({ length: 4 }, newStream);
      let more = true;
      let written = 0;
      const writing = Promise.all(
        Array.from({ length: 16 }, async (_, writer) => {
          for (let own = 0; more; own += 1) {
            await insist(store(), streams[writer % 4]!, `${writer}/${own}`);
            written += 1;
          }
        }),
      );
      for (let round = 0; round < 2; round += 1) {
        const reached = written;
        await collector.until(({ events }) => events.length > reached + 50);
        await outage.cut();
        await outage.restore();
      }
      const reached = written;
      await collector.until(({ events }) => events.length > reached + 50);
      more = false;
      await writing;
      await collector.until(({ events }) => events.length >= written);
      expectWhole(collector.events);
      expect(collector.events).toHaveLength(written);
      expect(collector.faults.length).toBeGreaterThan(0);
      await collector.subscription.stop();
    });

    test('throws StoreUnavailable for writers and readers, and both continue afterwards', async () => {
      const stream = newStream();
      const [event] = several(1);
      const collector = new Collector(store(), await store().head());
      await outage.cut();
      const began = Date.now();
      await expect(store().append(stream, [event!], 'no_stream')).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store().readStream(stream)).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store().head()).rejects.toBeInstanceOf(StoreUnavailable);
      expect(Date.now() - began).toBeLessThan(60_000);
      await outage.restore();
      await insist(store(), stream, 'second');
      await appendAtEnd(store(), stream, [event!, renamed('third')]);
      await collector.until(({ events }) => events.length >= 3);
      expectWhole(collector.events);
      await collector.subscription.stop();
    });
  });
};
