import type { Duplex } from 'node:stream';
import { SshFailure } from './failure';
import { HostKeyMemory } from './host-key-memory';
import { defaultPoolSettings, type PoolSettings, type SshPoolOptions } from './pool-settings';
import { PooledHost, type SharedPlaces } from './pooled-host';
import { Slots, SlotsByName } from './slots';
import type { ByteCommand, ForwardTo, HostKey, RemoteCommand, RemoteResult, SshTarget } from './target';

export interface Contact {
  hostKey: HostKey;
  /** Nobody had seen this host before: its key was trusted and recorded. */
  first: boolean;
  /** The server's software, such as `OpenSSH_9.2p1 Debian-2`. */
  software: string;
}

/** A connection can only be reused for the same address, account and key. */
const identityOf = ({ host, port, username, keyVersion }: SshTarget): string =>
  JSON.stringify([host, port, username, keyVersion]);

/** Runs commands on servers over one pooled, verified connection each. */
export class SshPool {
  private readonly settings: PoolSettings;
  private readonly hosts = new Map<string, PooledHost>();
  private readonly hostKeys: HostKeyMemory;
  private readonly shared: SharedPlaces;
  private readonly running = new Map<AbortController, Promise<RemoteResult>>();
  private readonly forwards = new Set<Duplex>();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  constructor(options: SshPoolOptions) {
    this.settings = { ...defaultPoolSettings, ...options };
    const { maxConnections, maxConnecting, maxConnectingToOne, maxWaiting, maxWaitMs, onHostKey } =
      this.settings;
    this.hostKeys = new HostKeyMemory(onHostKey);
    this.shared = {
      connections: new Slots(maxConnections, maxWaiting, maxWaitMs, 'a free SSH connection'),
      connecting: new Slots(maxConnecting, maxWaiting, maxWaitMs, 'a new SSH connection'),
      connectingTo: new SlotsByName(
        (address) =>
          new Slots(maxConnectingToOne, maxWaiting, maxWaitMs, `a new SSH connection to ${address}`),
      ),
      hostKeys: this.hostKeys,
      makeRoom: () => this.makeRoom(maxConnections),
    };
  }

  /** Makes a new connection, so that the result is current: which host answers, and whether it accepts us. */
  async contact(target: SshTarget): Promise<Contact> {
    const { hostKey, firstContact, software } = await this.hostOf(target).renew(target);
    return { hostKey, first: firstContact, software };
  }

  /**
   * Runs a script. Resolves when it has ended, or was ended by time-out or abort. Rejects with `SshFailure` if it could
   * not be run or its end was not seen, with the signal's reason if aborted before it was sent, and with any error of
   * `onOutput`.
   */
  async exec(target: SshTarget, command: RemoteCommand | ByteCommand): Promise<RemoteResult> {
    const host = this.hostOf(target);
    command.signal?.throwIfAborted();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(command.signal?.reason);
    command.signal?.addEventListener('abort', onAbort, { once: true });
    const work = host.exec(target, { ...command, signal: stop.signal });
    this.running.set(stop, work);
    try {
      return await work;
    } finally {
      this.running.delete(stop);
      command.signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Connects to an address from the server, as `ssh -W` does. The caller destroys the stream.
   * @throws SshFailure
   */
  async forward(target: SshTarget, to: ForwardTo): Promise<Duplex> {
    const stream = await this.hostOf(target).forward(target, to);
    if (this.closed) {
      stream.destroy();
      throw this.shuttingDown();
    }
    this.forwards.add(stream);
    return stream.once('close', () => this.forwards.delete(stream));
  }

  /** Whether a command would have to wait for a session on this server. */
  isFull(id: string): boolean {
    return this.hosts.get(id)?.full ?? false;
  }

  /** The server was removed or changed: running work finishes, then the connection is closed. */
  forget(id: string): void {
    this.hosts.get(id)?.retire();
    this.hosts.delete(id);
    this.hostKeys.forget(id);
  }

  /** Ends running work, on the servers too, and all connections. */
  async close(): Promise<void> {
    this.closed = true;
    for (const stop of this.running.keys()) stop.abort(this.shuttingDown());
    for (const stream of this.forwards) stream.destroy();
    await Promise.allSettled(this.running.values());
    for (const host of this.hosts.values()) host.retire();
    this.hosts.clear();
  }

  private hostOf(target: SshTarget): PooledHost {
    if (this.closed) throw this.shuttingDown();
    const identity = identityOf(target);
    let host = this.hosts.get(target.id);
    if (host?.identity !== identity) {
      host?.retire();
      host = new PooledHost(identity, target.host, this.settings, this.shared);
      this.hosts.set(target.id, host);
    }
    return host;
  }

  private makeRoom(maxConnections: number): void {
    if (this.shared.connections.taken < maxConnections) return;
    const idle = [...this.hosts.values()].filter((host) => host.idle && host.connected);
    idle.sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0]?.dropConnection();
  }

  private shuttingDown(): SshFailure {
    return new SshFailure('busy', 'This console is shutting down. Try again in a moment.');
  }
}
