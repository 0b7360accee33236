/**
 * Which sockets watch the output of which run. A run may be watched before it begins, because its caller chooses the
 * id.
 */
import { streamName, type RecordedEvent } from '@quarterdeck/events';
import type { Socket } from 'socket.io';
import { waitingBytes } from './gateway-client';
import type { RunFeeds } from '../run-output';
import type { EventStore } from '../tokens';

const MAX_WATCHES = 50;
const PATIENCE_MS = 5000;

export class RunWatches {
  private readonly watches = new WeakMap<Socket, Map<string, () => void>>();
  private readonly awaited = new Map<string, Set<(workspace: string) => void>>();

  constructor(
    private readonly feeds: RunFeeds,
    private readonly store: EventStore,
  ) {}

  /** @returns the refusal, if any. A run of another workspace looks like one that never begins. */
  async watch(socket: Socket, workspace: string, run: string, after: number): Promise<string | undefined> {
    const own = this.ownOf(socket);
    own.get(run)?.();
    own.delete(run);
    if (own.size >= MAX_WATCHES) return 'too many runs are watched';
    // Registered during the look-up, so that a late answer does not outlive `unwatch` or the socket.
    let wanted = true;
    own.set(run, () => void (wanted = false));
    const there = await this.appears(streamName('run', run), workspace);
    if (!wanted || !socket.connected) return undefined;
    if (!there) {
      own.delete(run);
      return 'run could not be found';
    }
    const stop = this.feeds.watch(run, after, {
      emit: (chunks) => void socket.emit('output', { run, chunks }),
      pressure: () => waitingBytes(socket),
    });
    own.set(run, stop);
    return undefined;
  }

  unwatch(socket: Socket, run: string): void {
    const own = this.ownOf(socket);
    own.get(run)?.();
    own.delete(run);
  }

  forget(socket: Socket): void {
    for (const stop of this.ownOf(socket).values()) stop();
    this.watches.delete(socket);
  }

  /** Called with every event, for sockets that wait for a run to begin. */
  seen(events: readonly RecordedEvent[]): void {
    if (this.awaited.size === 0) return;
    for (const { stream, meta } of events) this.awaited.get(stream)?.forEach((tell) => tell(meta.workspace));
  }

  private ownOf(socket: Socket): Map<string, () => void> {
    const known = this.watches.get(socket);
    if (known) return known;
    const own = new Map<string, () => void>();
    this.watches.set(socket, own);
    return own;
  }

  private async appears(stream: string, workspace: string): Promise<boolean> {
    const waiting = this.awaited.get(stream) ?? new Set();
    this.awaited.set(stream, waiting);
    let tell: (of: string) => void = () => undefined;
    // Listens before the look-up, because the run may begin in between.
    const told = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
      tell = (of) => {
        if (of !== workspace) return;
        clearTimeout(timer);
        resolve(true);
      };
      waiting.add(tell);
    });
    try {
      const [first] = await this.store.readStream(stream, { limit: 1 });
      if (first) tell(first.meta.workspace);
      return await told;
    } finally {
      waiting.delete(tell);
      if (waiting.size === 0) this.awaited.delete(stream);
    }
  }
}
