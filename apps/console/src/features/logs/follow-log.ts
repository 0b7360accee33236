/** Follows logs over the socket, across lost connections. */
import type { LogPush } from '@quarterdeck/contract';
import type { LogSource } from '@quarterdeck/events/inputs';
import type { Socket } from 'socket.io-client';
import { whenConnected } from '../../core/live';

interface FollowedLog {
  server: string;
  source: LogSource;
  /** @param isAnother the lines come from another reader than before, so some may be missing in between */
  onPush(push: LogPush, isAnother: boolean): void;
  onRefused(message: string): void;
}

interface Following extends FollowedLog {
  from?: { reader: string; at: number };
}

const follows = new Map<string, Following>();
const wired = new WeakSet<Socket>();
let next = 0;

const deliver = ({ key, ...push }: LogPush & { key: string }): void => {
  const log = follows.get(key);
  if (!log) return;
  const isAnother = push.reader !== undefined && log.from !== undefined && log.from.reader !== push.reader;
  const reader = push.reader ?? log.from?.reader;
  if (reader !== undefined) log.from = { reader, at: push.at ?? log.from?.at ?? 0 };
  log.onPush(push, isAnother);
};

interface Refused {
  error?: string;
  fields?: Record<string, string>;
}

const ask = (socket: Socket, key: string, { server, source, from, onRefused }: Following): void => {
  if (!wired.has(socket)) {
    wired.add(socket);
    socket.on('followed', deliver);
  }
  const input = { server: { id: server }, source, ...(from && { from }) };
  socket.emit('follow', { key, stream: 'log', input }, (answer?: Refused) => {
    if (answer?.error === undefined) return;
    onRefused([answer.error, ...Object.values(answer.fields ?? {})].join(': '));
  });
};

/** @returns a function that stops it */
export const followLog = (log: FollowedLog): (() => void) => {
  const key = `log ${(next += 1)}`;
  const following: Following = { ...log };
  follows.set(key, following);
  let current: Socket | undefined;
  const stop = whenConnected((socket) => {
    current = socket;
    ask(socket, key, following);
  });
  return () => {
    stop();
    follows.delete(key);
    if (current?.connected) current.emit('unfollow', { key });
  };
};
