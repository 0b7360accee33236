/** Which sockets follow which streams of features. A client names each of its streams with a key of its own. */
import { fieldMessages, line, object } from '@quarterdeck/events/inputs';
import type { Socket } from 'socket.io';
import { z } from 'zod';
import { waitingBytes } from './gateway-client';
import { liveStreams } from './live-stream';
import { DomainError } from '../errors';
import type { Hooks } from '../hooks';
import { mayActAs, type Session } from '../sessions';

const MAX_STREAMS = 16;

export const followInput = object({ key: line(100), stream: line(50), input: z.unknown() });
export const unfollowInput = object({ key: line(100) });

interface Refused {
  error: string;
  /** Messages by field of the input. */
  fields?: Record<string, string>;
}

export class StreamFollows {
  private readonly follows = new WeakMap<Socket, Map<string, () => void>>();

  constructor(private readonly hooks: Hooks) {}

  async follow(
    socket: Socket,
    { role, workspace }: Pick<Session, 'role' | 'workspace'>,
    { key, stream: name, input: sent }: z.output<typeof followInput>,
  ): Promise<{ ok: true } | Refused> {
    const stream = this.hooks.of(liveStreams).find((one) => one.name === name);
    if (!stream) return { error: 'there is no such stream' };
    if (!mayActAs(role, stream.access)) return { error: `this requires the role ${stream.access}` };
    const input = stream.input.safeParse(sent);
    if (!input.success) return { error: 'this cannot be followed', fields: fieldMessages(input.error) };
    const own = this.ownOf(socket);
    own.get(key)?.();
    own.delete(key);
    if (own.size >= MAX_STREAMS) return { error: `at most ${MAX_STREAMS} streams can be followed at once` };
    // Registered before it begins, so that a late answer does not outlive `unfollow` or the socket.
    let wanted = true;
    const give = (): void => void (wanted = false);
    own.set(key, give);
    try {
      const sink = {
        emit: (push: object) => void (wanted && socket.emit('followed', { key, ...push })),
        pressure: () => waitingBytes(socket),
      };
      const stop = await stream.follow({ workspace }, input.data, sink);
      const stopAll = (): void => {
        wanted = false;
        stop();
      };
      if (wanted && socket.connected) own.set(key, stopAll);
      else stopAll();
      return { ok: true };
    } catch (error) {
      if (own.get(key) === give) own.delete(key);
      if (!(error instanceof DomainError)) throw error;
      return { error: error.msg, ...(error.data && { fields: error.data }) };
    }
  }

  unfollow(socket: Socket, key: string): void {
    const own = this.ownOf(socket);
    own.get(key)?.();
    own.delete(key);
  }

  forget(socket: Socket): void {
    for (const stop of this.ownOf(socket).values()) stop();
    this.follows.delete(socket);
  }

  private ownOf(socket: Socket): Map<string, () => void> {
    const known = this.follows.get(socket);
    if (known) return known;
    const own = new Map<string, () => void>();
    this.follows.set(socket, own);
    return own;
  }
}
