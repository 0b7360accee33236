/** A client for the console's socket. */
import { comparePositions, START } from '@quarterdeck/events';
import { io, type Socket } from 'socket.io-client';
import type { Operator } from './backend';
import { PATIENCE_MS, until } from './patience';

export interface Change {
  type: string;
  stream: string;
  position: string;
}

export interface Chunk {
  seq: number;
  at: string;
  stream: 'out' | 'err';
  text: string;
}

export interface Listener {
  socket: Socket;
  changes: Change[];
  output: Map<string, Chunk[]>;
  ended: boolean;
  resume(after: string): Promise<{ events?: Change[]; resync?: true; position: string }>;
  /** Waits until this process has pushed everything up to a position. Unlike `resume`, it skips nothing. */
  pushed(to: string): Promise<void>;
  watch(run: string, after?: number): Promise<{ ok?: true; error?: string }>;
  /** Waits until the received pushes match. */
  until(what: () => boolean): Promise<void>;
  close(): void;
}

/** @throws with the server's message if the handshake is refused */
export const connectSocket = async (
  operator: Pick<Operator, 'url' | 'cookie'>,
  options: { transports?: ('websocket' | 'polling')[]; headers?: Record<string, string> } = {},
): Promise<Listener> => {
  const socket = io(operator.url, {
    transports: options.transports ?? ['websocket'],
    extraHeaders: { cookie: operator.cookie, ...options.headers },
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    forceNew: true,
  });
  const changes: Change[] = [];
  const output = new Map<string, Chunk[]>();
  let known = START;
  const listener: Listener = {
    socket,
    changes,
    output,
    ended: false,
    resume: (after) => {
      known = after;
      return new Promise((resolve, reject) => {
        // As in the console, the answer is processed before any push right after it.
        socket
          .timeout(PATIENCE_MS)
          .emit(
            'resume',
            { after },
            (unanswered: Error | null, answer: Awaited<ReturnType<Listener['resume']>>) => {
              if (unanswered) return reject(unanswered);
              if (answer.resync) known = answer.position;
              changes.push(...(answer.events ?? []));
              resolve(answer);
            },
          );
      });
    },
    pushed: async (to) => {
      // The answer comes after all pushes, with their position. Another process may be ahead of this one.
      for (let at = START; comparePositions(at, to) < 0;)
        ({ position: at } = await socket.timeout(PATIENCE_MS).emitWithAck('resume', { after: to }));
    },
    watch: (run, after) =>
      socket.timeout(PATIENCE_MS).emitWithAck('watch', { run, after }) as ReturnType<Listener['watch']>,
    until: (what) => until(what, 2),
    close: () => void socket.disconnect(),
  };
  // As in the console: a process may push something later that its client has already read from another one.
  socket.on('changes', ({ events }: { events: Change[] }) =>
    changes.push(...events.filter(({ position }) => comparePositions(position, known) > 0)),
  );
  socket.on('output', ({ run, chunks }: { run: string; chunks: Chunk[] }) =>
    output.set(run, [...(output.get(run) ?? []), ...chunks]),
  );
  socket.on('session-ended', () => (listener.ended = true));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error) => {
      socket.disconnect();
      reject(error);
    });
  });
  return listener;
};

export const textOf = (chunks: readonly Chunk[] | undefined): string =>
  (chunks ?? []).map(({ text }) => text).join('');
