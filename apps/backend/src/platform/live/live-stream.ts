/** What a feature sends to sockets that follow something, such as a log. The feature says it with `hook({ on: liveStreams, … })`. */
import type { Role } from '@quarterdeck/events';
import type { z } from 'zod';
import { moment } from '../hooks';

export interface StreamSink<Push = object> {
  emit(push: Push): void;
  /** Bytes that were sent but not taken by the other side. */
  pressure(): number;
}

export interface LiveStream<Input extends z.ZodType = z.ZodType, Push = object> {
  /** Unique among all streams. */
  name: string;
  /** The least role that may follow it. */
  access: Role;
  input: Input;
  /**
   * @returns a function that stops it
   * @throws DomainError that says why it cannot be followed
   */
  follow(asker: { workspace: string }, input: z.output<Input>, sink: StreamSink<Push>): Promise<() => void>;
}

export const liveStreams = moment<LiveStream>('streams that sockets may follow');
