/** A process of a served API that runs, and what it needs to begin. */
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ForwardTo } from '../platform/ssh';
import type { DatabaseAccess } from './child/connections';
import type { ServedProcess } from './child-process';
import { openForwarding, type Forwarding } from './database-forwarding';
import type { Line } from './line';
import type { ApiDescription, Beginning, Replayed } from './messages';

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

/** What a process is told about its database. It has no SSH: the console connects for it. */
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
