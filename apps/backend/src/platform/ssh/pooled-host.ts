import type { Duplex } from 'node:stream';
import { Backoff, rest } from '@quarterdeck/events';
import { SessionRefused, type SshConnection } from './connection';
import { SshFailure } from './failure';
import type { HostKeyMemory } from './host-key-memory';
import { openConnection } from './open-connection';
import type { PoolSettings } from './pool-settings';
import { endRemoteGroup } from './remote-end';
import { NothingSent, runScript } from './run-script';
import { Slots, type SlotsByName } from './slots';
import type { ByteCommand, ForwardTo, RemoteCommand, RemoteResult, SshTarget } from './target';

/** Limits shared by all hosts of a pool. */
export interface SharedPlaces {
  connections: Slots;
  connecting: Slots;
  /** The same limit for each address. */
  connectingTo: SlotsByName;
  hostKeys: HostKeyMemory;
  /** Closes the connection that has been idle longest if all are used. */
  makeRoom(): void;
}

/** About six seconds in all. Several addresses may belong to one sshd, so a limit per address is not enough. */
const retries = 6;

/** Rejected before the greeting, as sshd does with too many pending connections (MaxStartups). */
const turnedAway = (error: unknown): boolean =>
  error instanceof SshFailure &&
  (error.code === 'busy' || (error.code === 'notSsh' && /no greeting/.test(error.message)));

const orAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};

/** A connection that is being opened, and the host key that it expects. */
interface Opening {
  pinned: string | undefined;
  connection: Promise<SshConnection>;
}

/** One server: its single connection, opened on demand, and the places for commands on it. */
export class PooledHost {
  lastUsedAt = 0;
  private connection: SshConnection | undefined;
  private opening: Opening | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private retired = false;
  private readonly channels: Slots;

  constructor(
    readonly identity: string,
    name: string,
    private readonly settings: PoolSettings,
    private readonly shared: SharedPlaces,
  ) {
    const { perHostChannels, perHostWaiting, maxWaitMs } = settings;
    this.channels = new Slots(perHostChannels, perHostWaiting, maxWaitMs, `a free session on ${name}`);
  }

  get idle(): boolean {
    return this.channels.taken === 0 && !this.opening && (this.connection?.openForwards ?? 0) === 0;
  }

  get full(): boolean {
    return this.channels.full;
  }

  get connected(): boolean {
    return this.connection?.usable === true;
  }

  async exec(target: SshTarget, command: RemoteCommand | ByteCommand): Promise<RemoteResult> {
    for (let refusedAlone = 0, reconnects = 0; ;) {
      const release = command.urgent ? () => undefined : await this.channels.take(command.signal);
      const reused = this.connected;
      let connection: SshConnection | undefined;
      try {
        connection = await orAborted(this.connect(target), command.signal);
        const endGroup = endRemoteGroup(connection, target, this.settings);
        return await runScript(connection, command, this.settings.readyTimeoutMs, endGroup);
      } catch (error) {
        if (!(error instanceof NothingSent)) throw error;
        const { reason } = error;
        if (reason instanceof SessionRefused && connection) {
          refusedAlone = await this.waitForSession(connection, refusedAlone, reason);
        } else if (!reused || reconnects++ > 0 || !connection?.failure) {
          throw reason;
        }
        // Otherwise the idle connection had died unnoticed. The server has seen nothing of the command, so try once
        // more on a new connection.
      } finally {
        release();
        this.rest();
      }
    }
  }

  /** A stream to an address that the server reaches. Needs no place among the sessions. */
  async forward(target: SshTarget, to: ForwardTo): Promise<Duplex> {
    for (let isRetry = false; ; isRetry = true) {
      const reused = this.connected;
      const connection = await this.connect(target);
      try {
        const stream = await connection.forward(to);
        return stream.once('close', () => this.rest());
      } catch (error) {
        this.rest();
        // Otherwise the idle connection had died unnoticed.
        if (!reused || isRetry || !connection.failure) throw error;
      }
    }
  }

  /** Makes a new connection. Work on the old one finishes there. */
  async renew(target: SshTarget): Promise<SshConnection> {
    this.dropConnection();
    try {
      return await this.connect(target);
    } finally {
      this.rest();
    }
  }

  /** Accepts no new work; running work finishes. */
  retire(): void {
    this.retired = true;
    this.rest();
  }

  dropConnection(): void {
    clearTimeout(this.idleTimer);
    this.connection?.retire();
    this.connection = undefined;
  }

  /**
   * The server allows fewer sessions than we do (MaxSessions): learn the limit, and wait for one of ours to end. A
   * refusal without any session of ours may mean that sshd has not cleaned up the last one yet. If it is repeated, the
   * server allows none. Returns how often that happened.
   */
  private async waitForSession(
    connection: SshConnection,
    alone: number,
    reason: SessionRefused,
  ): Promise<number> {
    if (this.channels.taken > 1) {
      this.channels.setLimit(Math.max(1, connection.openChannels));
      return alone;
    }
    if (alone === 4) throw reason;
    await rest(50 * 2 ** alone);
    return alone + 1;
  }

  private async connect(target: SshTarget): Promise<SshConnection> {
    clearTimeout(this.idleTimer);
    this.lastUsedAt = performance.now();
    const pinned = target.hostKey?.fingerprint;
    if (pinned && this.connection && this.connection.hostKey.fingerprint !== pinned) this.dropConnection();
    if (this.connection?.usable) return this.connection;
    if (pinned && this.opening && this.opening.pinned !== pinned) {
      // A new key was accepted since the pending connection began. It expects the older key and may fail because of it.
      await this.opening.connection.catch(() => undefined);
      return this.connect(target);
    }
    this.opening ??= { pinned, connection: this.openOnce(target) };
    return this.opening.connection;
  }

  private async openOnce(target: SshTarget): Promise<SshConnection> {
    try {
      return await this.open(target);
    } finally {
      this.opening = undefined;
      // If the caller no longer waits, only the idle timer closes this connection.
      this.rest();
    }
  }

  private async open(target: SshTarget): Promise<SshConnection> {
    this.shared.makeRoom();
    const giveBack = await this.shared.connections.take();
    try {
      const connection = await this.openPatiently(target);
      connection.onClosed(giveBack);
      this.channels.setLimit(this.settings.perHostChannels);
      this.connection = connection;
      await this.shared.hostKeys.proved(target, connection.hostKey);
      return connection;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  private async openPatiently(target: SshTarget): Promise<SshConnection> {
    const { connecting, connectingTo, hostKeys } = this.shared;
    const backoff = new Backoff(150, 2000);
    for (let attempt = 0; ; attempt += 1) {
      const leaveAddress = await connectingTo.take(`${target.host} port ${target.port}`);
      const leave = await connecting.take().catch((error: unknown) => {
        leaveAddress();
        throw error;
      });
      try {
        return await openConnection(
          target,
          hostKeys.expected(target),
          (key) => hostKeys.check(target, key),
          this.settings,
        );
      } catch (error) {
        if (attempt === retries || !turnedAway(error)) throw error;
      } finally {
        leave();
        leaveAddress();
      }
      await backoff.pause();
    }
  }

  private rest(): void {
    if (!this.idle) return;
    clearTimeout(this.idleTimer);
    if (this.retired || this.shared.connections.waiting > 0) this.dropConnection();
    else this.idleTimer = setTimeout(() => this.dropConnection(), this.settings.idleMs).unref();
  }
}
