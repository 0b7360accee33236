/** A browser that follows logs. */
import type { LogLine, LogPush, LogState } from '@quarterdeck/contract';
import type { LogSource } from '@quarterdeck/events/inputs';
import type { Operator } from '../../testing/backend';
import { PATIENCE_MS, until } from '../../testing/patience';
import { connectSocket, type Listener } from '../../testing/socket';

export interface FollowedLog {
  lines: LogLine[];
  states: LogState[];
  missed: number;
  texts(): string[];
  /** Waits until a line has this text. */
  has(text: string): Promise<void>;
  stop(): Promise<void>;
}

export interface LogListener {
  socket: Listener['socket'];
  follow(server: string, source: LogSource): Promise<FollowedLog>;
  /** What it is answered. */
  ask(input: unknown, stream?: string): Promise<{ ok?: true; error?: string; fields?: object }>;
  close(): void;
}

export const listenToLogs = async (who: Operator): Promise<LogListener> => {
  const { socket, close } = await connectSocket(who);
  const all = new Map<string, FollowedLog>();
  socket.on('followed', ({ key, lines = [], state, missed = 0 }: LogPush & { key: string }) => {
    const log = all.get(key);
    log?.lines.push(...lines);
    if (state) log?.states.push(state);
    if (log) log.missed += missed;
  });
  const ask: LogListener['ask'] = (input, stream = 'log') =>
    socket.timeout(PATIENCE_MS).emitWithAck('follow', { key: 'asked', stream, input });
  return {
    socket,
    close,
    ask,
    follow: async (server, source) => {
      const key = `log ${all.size}`;
      const log: FollowedLog = {
        lines: [],
        states: [],
        missed: 0,
        texts: () => log.lines.map(({ text }) => text),
        has: (text) => until(() => log.lines.some((line) => line.text === text)),
        stop: () => socket.timeout(PATIENCE_MS).emitWithAck('unfollow', { key }),
      };
      all.set(key, log);
      const input = { server: { id: server }, source };
      const answer = await socket.timeout(PATIENCE_MS).emitWithAck('follow', { key, stream: 'log', input });
      if (answer.error !== undefined) throw new Error(String(answer.error));
      return log;
    },
  };
};
