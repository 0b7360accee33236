/** Keeps and pushes samples in batches, so that five hundred servers need one statement a second. */
import type { HealthSample } from '@quarterdeck/projections';
import { sqlClassOf } from '../platform/database';
import { type LiveMessage, MAX_LIVE_BYTES } from '../platform/live';
import type { KeptSample } from './health-samples';

const BATCH_MS = 500;
/** Limit of samples that wait during a database outage. The oldest are dropped first. */
const MAX_WAITING = 5000;
const MAX_AT_ONCE = 500;

/** SQLSTATE class 22: an error in the data itself. */
const UNSTORABLE = '22';

/** Leaves room for the envelope around the samples. */
const ROOM = MAX_LIVE_BYTES - 200;

/** Builds the messages to the workspaces' administrators, each within the size limit. Pure. */
export const newsOf = (kept: readonly KeptSample[]): LiveMessage[] => {
  const messages: LiveMessage[] = [];
  const open = new Map<string, { samples: HealthSample[]; bytes: number }>();
  for (const { workspace, usage: _kept, ...sample } of kept) {
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
    if (this.waiting.length > MAX_WAITING) this.waiting.splice(0, this.waiting.length - MAX_WAITING);
    this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
  }

  /** Writes the waiting samples; resolves after the attempt. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  /** Pushed after the samples were stored: a client that fetches again finds them there. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MAX_AT_ONCE);
      try {
        const kept = await this.keep(batch);
        // New samples may have pushed out the oldest.
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

  /**
   * A sample that Postgres cannot store costs only itself: bisection separates it from the others. @returns the stored
   * ones
   */
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
