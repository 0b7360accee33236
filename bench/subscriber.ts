/**
 * A subscriber behind 32 writers: counts each event, in order, none missed, none duplicated. One subscriber is in the
 * writing process and is served from memory. Another stands for a second process and is woken by notifications.
 * `BENCH_EVENTS` sets the number of events; the target is for 1,000,000.
 */
import { v7 as uuid } from 'uuid';
import type { NewEvent, Position, RecordedEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { openLog } from '../testing/log';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, state, type Line } from './harness';

const EVENTS = amountOf(1_000_000, 1 / 40);
const WRITERS = 32;
const STREAM_LENGTH = 20;
const STALL_MS = 30_000;

const event = (alias: string): NewEvent => {
  const id = uuid();
  const meta = {
    id,
    at: new Date().toISOString(),
    actor: 'bench',
    workspace: '-',
    correlationId: id,
    causationId: id,
    v: '1',
  };
  return { type: 'ServerRenamed', data: { alias }, meta };
};

/** Checks the events that it gets, without keeping them. */
class Check {
  seen = 0;
  outOfOrder = 0;
  doubled = 0;
  missed = 0;
  #position: number;
  #revisions = new Map<string, number>();

  constructor(after: Position) {
    this.#position = Number(after);
  }

  take(batch: RecordedEvent[]): void {
    for (const { position, stream, revision } of batch) {
      const at = Number(position);
      if (at === this.#position) this.doubled += 1;
      else if (at < this.#position) this.outOfOrder += 1;
      else this.missed += at - this.#position - 1;
      this.#position = Math.max(this.#position, at);
      const expected = this.#revisions.get(stream) ?? 0;
      if (revision !== expected) this.outOfOrder += 1;
      if (revision === STREAM_LENGTH - 1) this.#revisions.delete(stream);
      else this.#revisions.set(stream, revision + 1);
      this.seen += 1;
    }
  }

  get wrong(): number {
    return this.missed + Math.abs(EVENTS - this.seen) + this.doubled + this.outOfOrder;
  }

  get words(): string {
    const count = this.seen.toLocaleString('en');
    return `${count} seen, ${this.missed + EVENTS - this.seen} missed, ${this.doubled} doubled, ${this.outOfOrder} out of order`;
  }
}

async function write(store: EventStore): Promise<void> {
  let left = EVENTS;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      let stream = '';
      for (let revision = STREAM_LENGTH; left > 0; revision += 1) {
        left -= 1;
        if (revision === STREAM_LENGTH) {
          revision = 0;
          stream = `server-${uuid()}`;
        }
        await store.append(stream, [event(`name ${left}`)], revision === 0 ? 'no_stream' : revision - 1);
      }
    }),
  );
}

/** Waits until everything has arrived, or nothing has for a long time. */
async function settled(check: Check): Promise<void> {
  for (let seen = -1; seen !== check.seen && check.seen < EVENTS;) {
    seen = check.seen;
    for (const end = Date.now() + STALL_MS; Date.now() < end && check.seen === seen;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await withDurablePostgres(async (url) => {
  const [writing, other] = [await openLog(url), await openLog(url)];
  // The log begins with the event that founded it.
  const founded = await writing.head();
  const [inProcess, elsewhere] = [new Check(founded), new Check(founded)];
  writing.subscribe(founded, (batch) => inProcess.take(batch));
  other.subscribe(founded, (batch) => elsewhere.take(batch));
  const began = performance.now();
  await write(writing);
  const written = performance.now();
  await settled(inProcess);
  await settled(elsewhere);
  const rate = Math.round(EVENTS / ((written - began) / 1000)).toLocaleString('en');
  const lag = Math.round(performance.now() - written);
  const lines: Line[] = [
    state('a subscriber behind 32 writers, in process', inProcess.wrong, { atMost: 0 }, inProcess.words),
    state(
      'the same, woken by notifications',
      elsewhere.wrong,
      { atMost: 0 },
      `${elsewhere.words}; done ${lag} ms after the last append`,
    ),
  ];
  console.log(`${rate} durable appends/s with both subscribers`);
  await Promise.all([writing.close(), other.close()]);
  finish(lines);
});
