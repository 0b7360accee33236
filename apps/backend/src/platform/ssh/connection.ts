import type { Socket } from 'node:net';
import type { Client, ClientCallback, ClientChannel } from 'ssh2';
import { SshFailure } from './failure';
import type { ForwardTo, HostKey, SshTarget } from './target';

/** The server accepted the account but refused a session on the connection. */
export class SessionRefused extends SshFailure {}

/** One authenticated connection. It is ready for use, and reports why it ended. */
export class SshConnection {
  /** Set once the connection is gone. */
  failure: SshFailure | undefined;
  openChannels = 0;
  /** Streams to other hosts. The server does not count them as sessions. */
  openForwards = 0;
  private openingChannels = 0;
  private ended = false;
  private retired = false;

  constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    readonly target: SshTarget,
    readonly hostKey: HostKey,
    readonly firstContact: boolean,
    readonly software: string,
  ) {
    const lost = `The connection to ${target.host} was lost.`;
    client.on('error', (error: Error & { level?: string }) => {
      this.failure ??=
        error.message === 'Keepalive timeout'
          ? new SshFailure(
              'frozen',
              `${target.host} stopped answering. Check that the host and the network are up.`,
            )
          : new SshFailure('connectionLost', `${lost} (${error.message})`, { cause: error });
      socket.destroy();
    });
    client.on('close', () => {
      this.failure ??= new SshFailure('connectionLost', lost);
    });
  }

  get usable(): boolean {
    return !this.failure && !this.ended && !this.retired;
  }

  onClosed(listener: () => void): void {
    if (this.socket.closed) listener();
    else this.client.once('close', listener);
  }

  /** Opens a channel that runs the fixed `command`. If it rejects, the server has run nothing. */
  start(command: string): Promise<ClientChannel> {
    return this.counted(
      'openChannels',
      (opened) => this.client.exec(command, opened),
      (error) => new SessionRefused('channelRefused', this.refusal(error), { cause: error }),
    );
  }

  /** Opens a channel to an address as the server sees it. If it rejects, nothing was sent there. */
  forward({ host, port }: ForwardTo): Promise<ClientChannel> {
    return this.counted(
      'openForwards',
      (opened) => this.client.forwardOut('127.0.0.1', 0, host, port, opened),
      (error) => forwardFailure(error, this.target, { host, port }),
    );
  }

  private async counted(
    count: 'openChannels' | 'openForwards',
    open: (opened: ClientCallback) => void,
    refusal: (error: Error) => SshFailure,
  ): Promise<ClientChannel> {
    this.openingChannels += 1;
    try {
      const channel = await this.open(open, refusal);
      this[count] += 1;
      channel.once('close', () => {
        this[count] -= 1;
        this.endWhenUnused();
      });
      return channel;
    } finally {
      this.openingChannels -= 1;
      this.endWhenUnused();
    }
  }

  private open(
    open: (opened: ClientCallback) => void,
    refusal: (error: Error) => SshFailure,
  ): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      const refused = (error: Error): void => {
        if (this.failure) reject(this.failure);
        else if (!this.socket.writable || this.ended)
          reject(new SshFailure('connectionLost', 'The connection was lost.'));
        else reject(refusal(error));
      };
      try {
        // Without a listener, a channel's error would end the process.
        open((error, channel) => {
          if (error) refused(error);
          else resolve(channel.on('error', () => undefined));
        });
      } catch (error) {
        refused(error as Error);
      }
    });
  }

  private refusal(error: Error): string {
    return (
      `${this.target.host} accepted ${this.target.username} but refused to open a session (${error.message}). ` +
      'Check MaxSessions and the restrictions of the key in authorized_keys.'
    );
  }

  /** Accepts no new work, and closes when its running work has ended. */
  retire(): void {
    this.retired = true;
    this.endWhenUnused();
  }

  private endWhenUnused(): void {
    const open = this.openChannels + this.openForwards + this.openingChannels;
    if (this.retired && open === 0) this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.client.end();
    // A dead peer never answers the disconnect.
    setTimeout(() => this.socket.destroy(), 1000).unref();
  }
}

/** RFC 4254, 5.1. The other reasons mean that the server could not connect. */
const PROHIBITED = 1;

/** Why a server did not connect us to another address. */
const forwardFailure = (
  error: Error & { reason?: number | string },
  { host: server, username }: SshTarget,
  { host, port }: ForwardTo,
): SshFailure => {
  const said = error.message.replace(/^\(SSH\) Channel open failure: /, '');
  if (error.reason === PROHIBITED) {
    const words =
      `${server} let ${username} in but does not forward connections to ${host} port ${port} (${said}). ` +
      'Check AllowTcpForwarding and PermitOpen in its sshd_config, and the restrictions of the key in authorized_keys.';
    return new SshFailure('forwardRefused', words, { cause: error });
  }
  const words = `${server} could not connect to ${host} port ${port} (${said}). Check host and port as that server sees them.`;
  return new SshFailure('forwardFailed', words, { cause: error });
};
