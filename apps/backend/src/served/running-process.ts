/** A process of a served API that has begun. */
import type { ServedProcess } from './child-process';
import type { Line } from './line';
import type { ApiDescription, Beginning, Replayed } from './messages';

export type ProcessStart = Omit<Beginning, 'is' | 'socket'>;

export interface Running {
  /** Resolves with the end of the process. */
  readonly ended: Promise<void>;
  readonly process: ServedProcess;
  readonly folder: string;
  readonly socket: string;
  readonly since: number;
  readonly given: ProcessStart;
  /** What it was told last. */
  description: ApiDescription;
  /** Those that wait for a definition to be kept, by its key. */
  readonly kept: Map<string, (() => void)[]>;
  /** Those that wait for a replay, by its key. */
  readonly replays: Map<string, (replayed: Replayed | undefined) => void>;
  position?: string;
  /** Begins with the first request. */
  line?: Line;
  isStopping: boolean;
}

/** What was sent to it is answered. */
export const stop = (running: Running): void => {
  running.isStopping = true;
  running.line?.end();
  running.process.tell({ is: 'stop' });
};
