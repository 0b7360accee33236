/** A process of a served API that runs, and what it needs to begin. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ForwardTo } from '../platform/ssh';
import type { DatabaseAccess } from './child/connections';
import type { ServedProcess } from './child-process';
import { openForwarding, type Forwarding } from './database-forwarding';
import type { Line } from './line';
import type { ApiDescription, Beginning, Replayed, ReplayAsked } from './messages';
import { NotServed } from './not-served';

const KEEP_MS = 5000;
/** The process ends a replay before. */
const REPLAY_MS = 10_000;

export interface ApiSource {
  /** @throws DomainError if there is no such API, or its database is not known */
  describe(): Promise<ApiDescription>;
  /** What the process needs once. */
  begin(): Promise<ProcessStart>;
  /** Connects to a database that only a server reaches. Default: there is none. */
  forward?(server: string, to: ForwardTo): Promise<Duplex>;
}

export interface ProcessStart extends Omit<Beginning, 'is' | 'socket' | 'database'> {
  /** `server`: the one that reaches it. */
  readonly database: Omit<DatabaseAccess, 'socket'> & { readonly server?: string };
}

export interface Running {
  /** Resolves with the end of the process. */
  readonly ended: Promise<void>;
  readonly process: ServedProcess;
  readonly folder: string;
  readonly socket: string;
  /** To its database. */
  readonly forwarding: Forwarding | undefined;
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

/** The address of the database for a process, which has no SSH connections: the console forwards to it. */
export const databaseFor = async (
  { server, ...database }: ProcessStart['database'],
  folder: string,
  { forward }: ApiSource,
  { onFault }: { onFault: (what: object, message: string) => void },
): Promise<{ database: DatabaseAccess; forwarding?: Forwarding }> => {
  if (server === undefined || !forward) return { database };
  const socket = join(folder, 'database');
  const { host, port } = database;
  const forwarding = await openForwarding(socket, {
    open: () => forward(server, { host, port }),
    onFault: (error) => onFault({ server, err: error }, 'the database of a served API is away'),
  });
  return { database: { ...database, socket }, forwarding };
};

/** What was sent to it is answered. */
export const stop = (running: Running): void => {
  running.isStopping = true;
  running.line?.end();
  running.process.tell({ is: 'stop' });
};

/**
 * Requests that name the key are answered by this description from then on. Also ends if the process ends: then it cannot
 * be reached.
 * @throws NotServed
 */
export const keep = async (running: Running, key: string, description: ApiDescription): Promise<void> => {
  const kept = new Promise<void>((resolve) => {
    running.kept.set(key, [...(running.kept.get(key) ?? []), resolve]);
  });
  running.process.tell({ is: 'keep', key, description });
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((_, reject) => {
    late = setTimeout(() => reject(new NotServed('this API has too much to do: try again', 2)), KEEP_MS);
  });
  await Promise.race([kept, tooLate, running.ended]).finally(() => clearTimeout(late));
};

/** @throws NotServed */
export const replay = async (running: Running, asked: ReplayAsked): Promise<Replayed> => {
  const key = randomUUID();
  let late: NodeJS.Timeout | undefined;
  const replayed = new Promise<Replayed | undefined>((resolve) => {
    running.replays.set(key, resolve);
    late = setTimeout(() => resolve(undefined), REPLAY_MS);
  });
  running.process.tell({ is: 'replay', key, ...asked });
  const found = await Promise.race([replayed, running.ended]).finally(() => {
    clearTimeout(late);
    running.replays.delete(key);
  });
  if (!found) throw new NotServed('this API could not replay the requests: try again', 2);
  return found;
};
