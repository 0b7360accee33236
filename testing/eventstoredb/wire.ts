import net, { type AddressInfo, type Socket } from 'node:net';

interface Line {
  outer: Socket;
  inner: Socket;
}

/**
 * The network in front of a node, so that it can be cut, and so that the node can look like a frozen process: its
 * connections stay open and silent, and new ones are still accepted, as the kernel does for a stopped process.
 */
export class Wire {
  readonly #lines = new Set<Line>();
  readonly #held = new Set<Socket>();
  #server: net.Server | undefined;
  #frozen = false;
  #port = 0;

  /** @param inside port of the node */
  constructor(private readonly inside: () => number) {}

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const server = net.createServer({ pauseOnConnect: true }, (outer) => {
      outer.on('error', () => outer.destroy());
      if (this.#frozen) this.#held.add(outer);
      else this.#join(outer);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  freeze(): void {
    this.#frozen = true;
    for (const { outer, inner } of this.#lines) {
      outer.pause();
      inner.pause();
    }
  }

  thaw(): void {
    this.#frozen = false;
    for (const { outer, inner } of this.#lines) {
      outer.resume();
      inner.resume();
    }
    for (const outer of this.#held) this.#join(outer);
    this.#held.clear();
  }

  /** Ends every connection; new ones are accepted. */
  cut(): void {
    for (const { outer, inner } of this.#lines) {
      outer.destroy();
      inner.destroy();
    }
    for (const outer of this.#held) outer.destroy();
    this.#held.clear();
  }

  /** Ends every connection and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    this.cut();
    await closed;
  }

  #join(outer: Socket): void {
    const inner = net.connect(this.inside(), '127.0.0.1');
    const line = { outer, inner };
    this.#lines.add(line);
    outer.setNoDelay(true);
    inner.setNoDelay(true);
    this.#pass(outer, inner);
    this.#pass(inner, outer);
    outer.on('close', () => this.#lines.delete(line));
    outer.resume();
  }

  /** Reads no more than the other end can take, so that a slow reader slows the writer down. */
  #pass(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause();
    });
    to.on('drain', () => {
      if (!this.#frozen) from.resume();
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
