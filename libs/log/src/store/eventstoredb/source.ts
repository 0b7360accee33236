import { convertToCommandError } from '@eventstore/db-client';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection } from './connection';

/** Pulls answers from a call of the server: who takes them slowly slows the server down. */
export class Source {
  readonly #stream: ReturnType<Connection['subscribe']>['call'];
  #ended = false;
  #fault: { error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    request: streams.ReadReq,
    private readonly signal: AbortSignal = new AbortController().signal,
  ) {
    const { call, leave } = connection.subscribe(request);
    this.#stream = call;
    const wake = () => this.#wake();
    const fail = (error: unknown) => {
      this.#fault ??= { error: convertToCommandError(error as Error) };
      this.#wake();
    };
    call.on('readable', wake);
    call.on('error', fail);
    call.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    signal.addEventListener('abort', wake, { once: true });
    this.close = () => {
      signal.removeEventListener('abort', wake);
      leave();
    };
  }

  /** An abandoned call that is not cancelled stays open on the server, and counts towards its limit. */
  readonly close: () => void;

  take(): streams.ReadResp | undefined {
    const answer = (this.#stream.read() as streams.ReadResp | null) ?? undefined;
    if (answer) this.connection.heard();
    return answer;
  }

  /** Whether everything was taken, and no more will come. */
  get ended(): boolean {
    return this.#ended;
  }

  async more(): Promise<void> {
    const arrived = new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#fault) throw this.#fault.error;
    if (this.#ended || this.#stream.readableLength > 0 || this.signal.aborted) return;
    await arrived;
  }
}
