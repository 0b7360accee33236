/** Samples on their way: kept and told in batches, so that five hundred servers are a statement a second. */
import type { HealthSample } from '@quarterdeck/projections';
import { sqlClassOf } from '../platform/database';
import { type LiveMessage, MOST_LIVE_BYTES } from '../platform/live';
import type { KeptSample } from './health-samples';

const BATCH_MS = 500;
/** What waits for a database that does not take it; the eldest go first. */
const MOST_WAITING = 5000;
const MOST_AT_ONCE = 500;

/** SQLSTATE class 22: the data itself. */
const UNSTORABLE = '22';

/** Room for what stands around the samples. */
const ROOM = MOST_LIVE_BYTES - 200;

/** As messages to the workspaces' administrators, none of them longer than can be carried. Pure. */
export const newsOf = (kept: readonly KeptSample[]): LiveMessage[] => {
  const messages: LiveMessage[] = [];
  const open = new Map<string, { samples: HealthSample[]; bytes: number }>();
  for (const { workspace, ...sample } of kept) {
    const bytes = Buffer.byteLength(JSON.stringify(sample)) + 1;
    let message = open.get(workspace);
    if (!message || message.bytes + bytes > ROOM) {
      message = { samples: [], bytes: 0 };
      open.set(workspace, message);
      messages.push({ workspace, audience: 'admin', name: 'health', body: { samples: message.samples } });
    }
    message.samples.push(sample);
    message.bytes += bytes;
  }
  return messages;
};

interface Outlets {
  keep: (samples: readonly KeptSample[]) => Promise<void>;
  tell: (messages: readonly LiveMessage[]) => Promise<void>;
  onFault: (error: unknown) => void;
}

export class SampleBatches {
  private waiting: KeptSample[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(private readonly outlets: Outlets) {}

  add(sample: KeptSample): void {
    this.waiting.push(sample);
    if (this.waiting.length > MOST_WAITING) this.waiting.splice(0, this.waiting.length - MOST_WAITING);
    this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Writes what waits; resolves when it was tried. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  /** Told after it was kept: who asks anew when he hears it finds it there. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MOST_AT_ONCE);
      try {
        const kept = await this.keep(batch);
        // What came in meanwhile may have pushed out the eldest.
        const done = new Set(batch);
        this.waiting = this.waiting.filter((sample) => !done.has(sample));
        await this.outlets.tell(newsOf(kept));
      } catch (error) {
        this.outlets.onFault(error);
        if (this.waiting.length > 0) this.timer ??= setTimeout(() => void this.flush(), 10 * BATCH_MS);
        return;
      }
    }
  }

  /** One that Postgres cannot hold costs itself alone: the others are told apart from it by halves. @returns those kept */
  private async keep(batch: readonly KeptSample[]): Promise<readonly KeptSample[]> {
    try {
      await this.outlets.keep(batch);
      return batch;
    } catch (error) {
      if (sqlClassOf(error) !== UNSTORABLE) throw error;
      if (batch.length === 1) {
        this.outlets.onFault(error);
        return [];
      }
      const half = Math.ceil(batch.length / 2);
      return [...(await this.keep(batch.slice(0, half))), ...(await this.keep(batch.slice(half)))];
    }
  }
}
