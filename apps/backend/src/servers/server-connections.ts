/** Connects to servers, with their keys from the vault, and only while the host shows its known key. */
import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  type Contact,
  type ForwardTo,
  type HostKey,
  type HostKeyNews,
  shell,
  SshFailure,
  SshPool,
  type SshTarget,
} from '../platform/ssh';
import greeting from './greeting.sh';
import { readOwnAddresses } from './own-addresses';
import { ServerKeys, type PrivateKey } from './server-keys';
import {
  PinHostKey,
  RecordAddresses,
  RefuseHostKey,
  ReturnHostKey,
  serversDecider,
  type RegisteredServer,
} from './servers.decider';

const GREETING_MS = 15_000;
const MAX_OUTPUT = 64 * 1024;

const greet = shell(greeting, ['number']);

export interface ReachableServer {
  id: string;
  server: RegisteredServer;
  /** The person who made the request. Observations about the host are recorded in their name. */
  meta: CommandMeta;
}

@Injectable()
export class ServerConnections implements OnApplicationShutdown {
  /** Callers share the connections of the pool. Maps each target to the request that it was made for. */
  private readonly askedBy = new WeakMap<SshTarget, CommandMeta>();
  readonly pool = new SshPool({ onHostKey: (target, key, what) => this.recordHostKey(target, key, what) });

  constructor(
    private readonly keys: ServerKeys,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Makes a new connection and runs something: an account may be accepted, and yet run only what a forced command says.
   * @throws SshFailure, DomainError
   */
  async contact(to: ReachableServer): Promise<Contact> {
    const target = this.target(to, await this.privateKey(to));
    const contact = await this.pool.contact(target);
    const asked = randomInt(1_000_000);
    let printed = '';
    await this.pool.exec(target, {
      ...greet({ number: asked }),
      timeoutMs: GREETING_MS,
      maxBytes: MAX_OUTPUT,
      onOutput: (stream, text) => {
        if (stream === 'out') printed += text;
      },
    });
    if (!printed.split(/\r?\n/).includes(`answer=${asked * 2}`))
      throw new SshFailure(
        'channelRefused',
        `${target.username} on ${target.host} was accepted, but a simple command gave no answer within ${GREETING_MS / 1000} s. Check its login ` +
          'shell, its forced commands, and the load of the host.',
      );
    await this.noteAddresses(to, printed);
    return contact;
  }

  /** Records the addresses that `own-addresses.sh` printed, if they are others than before. */
  async noteAddresses({ id, server, meta }: ReachableServer, printed: string): Promise<void> {
    const own = readOwnAddresses(printed);
    if (!own) return;
    const { host, port } = server;
    const record = new RecordAddresses(id, { host, port, own }, followUp(meta));
    if (serversDecider.decide(record, server).length > 0) await this.commands.execute(record);
  }

  /** Connects to an address from the server. The caller destroys the stream. @throws SshFailure, DomainError */
  async forward(from: ReachableServer, to: ForwardTo): Promise<Duplex> {
    return this.pool.forward(this.target(from, await this.privateKey(from)), to);
  }

  async privateKey({ server, meta }: ReachableServer): Promise<PrivateKey> {
    const key = await this.keys.load(meta.workspace, server.key.ref);
    if (!key)
      throw new SshFailure('badKey', 'The private key of this server no longer exists. Enter it again.');
    return key;
  }

  target({ id, server, meta }: ReachableServer, { privateKey, passphrase }: PrivateKey): SshTarget {
    const { host, port, username, key, hostKey, refusedHostKey } = server;
    const target: SshTarget = {
      id,
      host,
      port,
      username,
      privateKey,
      keyVersion: key.ref,
      ...(passphrase ? { passphrase } : {}),
      ...(hostKey ? { hostKey } : {}),
      ...(refusedHostKey ? { hostKeyDoubted: true } : {}),
    };
    this.askedBy.set(target, meta);
    return target;
  }

  forget(id: string): void {
    this.pool.forget(id);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async recordHostKey(target: SshTarget, key: HostKey, what: HostKeyNews): Promise<void> {
    const asked = this.askedBy.get(target);
    if (!asked) throw new DomainError('forbidden', 'nobody asked for this connection');
    const { id, host, port } = target;
    const meta = followUp(asked);
    const commandFor = {
      first: () => new PinHostKey(id, { host, port, key }, meta),
      changed: () => new RefuseHostKey(id, { host, port, got: key }, meta),
      returned: () => new ReturnHostKey(id, { host, port, key }, meta),
    };
    await this.commands.execute(commandFor[what]());
  }
}
