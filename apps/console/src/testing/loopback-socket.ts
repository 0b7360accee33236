/** The other end of the socket, in the hands of a test. */
import type { Socket } from 'socket.io-client';

type Listener = (payload?: unknown) => void;
type Answer = (payload: unknown) => unknown;

export class LoopbackSocket {
  connected = false;
  /** Whether it comes back by itself, as the real one does after a lost transport and after nothing else. */
  active = true;
  /** Why the server lets nobody in. */
  refusal: string | undefined;
  readonly sent: { event: string; payload: unknown }[] = [];
  private readonly listeners = new Map<string, Listener[]>();
  private readonly answers = new Map<string, Answer>();

  /** As the console sees it. */
  get client(): Socket {
    return this as unknown as Socket;
  }

  /** How the server answers an event that asks for an answer. */
  answer(event: string, answer: Answer): void {
    this.answers.set(event, answer);
  }

  /** The server says something. */
  push(event: string, payload?: unknown): void {
    this.listeners.get(event)?.forEach((listener) => listener(payload));
  }

  lose(): void {
    this.connected = false;
    this.push('disconnect', 'transport close');
  }

  /** The server closes it. */
  dismiss(): void {
    this.connected = this.active = false;
    this.push('disconnect', 'io server disconnect');
  }

  on(event: string, listener: Listener): this {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    return this;
  }

  connect(): this {
    this.connected = this.active = this.refusal === undefined;
    if (this.refusal === undefined) this.push('connect');
    else this.push('connect_error', new Error(this.refusal));
    return this;
  }

  close(): this {
    this.connected = false;
    return this;
  }

  /** Whoever asks with a time limit is told first whether there is an answer at all. */
  timeout(): Pick<LoopbackSocket, 'emit'> {
    return {
      emit: (event, payload, acknowledge?: (unanswered: Error | null, answer?: unknown) => void) => {
        this.sent.push({ event, payload });
        const answer = this.answers.get(event);
        if (answer) acknowledge?.(null, answer(payload));
        else acknowledge?.(new Error('operation has timed out'));
        return this;
      },
    };
  }

  emit(event: string, payload: unknown, acknowledge?: (answer: unknown) => void): this {
    this.sent.push({ event, payload });
    acknowledge?.(this.answers.get(event)?.(payload) ?? { ok: true });
    return this;
  }
}
