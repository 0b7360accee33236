/** A fake socket whose server side the test controls. */
import type { Socket } from 'socket.io-client';

type Listener = (payload?: unknown) => void;
type Answer = (payload: unknown) => unknown;

export class LoopbackSocket {
  connected = false;
  /** Whether it reconnects by itself. Like the real socket, it does so only after a lost transport. */
  active = true;
  /** If set, the server refuses every connection with this reason. */
  refusal: string | undefined;
  readonly sent: { event: string; payload: unknown }[] = [];
  private readonly listeners = new Map<string, Listener[]>();
  private readonly answers = new Map<string, Answer>();

  /** Typed as the console expects it. */
  get client(): Socket {
    return this as unknown as Socket;
  }

  /** Sets the server's acknowledgement for an event. */
  answer(event: string, answer: Answer): void {
    this.answers.set(event, answer);
  }

  /** Delivers an event from the server. */
  push(event: string, payload?: unknown): void {
    this.listeners.get(event)?.forEach((listener) => listener(payload));
  }

  lose(): void {
    this.connected = false;
    this.push('disconnect', 'transport close');
  }

  /** The server closes the connection, so the socket does not reconnect. */
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

  /** The client closes the connection. */
  disconnect(): this {
    this.connected = this.active = false;
    this.push('disconnect', 'io client disconnect');
    return this;
  }

  close(): this {
    this.connected = false;
    return this;
  }

  /** As in Socket.IO: with a timeout, the first argument of the callback is an error if no answer came. */
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
