/** Opens databases of products, directly or through a server by SSH. */
import type { Duplex } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { database, databaseTypes, type Secret, type ValuesOf } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { insideWord, Outbound, type Target as Reached } from '../platform/outbound';
import { ownMeta, type CommandMeta } from '../platform/sessions';
import { SshFailure, type ForwardTo } from '../platform/ssh';
import { ServerConnections, ServerRegistry } from '../servers';
import { DatabaseFailure, databaseFailure } from './database-failure';
import {
  openTarget,
  PATIENCE,
  socketTo,
  type Connect,
  type Protection,
  type Target,
  type TargetAddress,
} from './target';

type Fields = ValuesOf<typeof database>;

/** The fields of a database, with the secrets themselves instead of references to them; `''` if there is none. */
export type DatabaseAccess = { [K in keyof Fields]: Fields[K] extends Secret | null ? string : Fields[K] };

/** How a process of ours reaches a database: with one of these, instead of by the host. */
export type DatabaseRoute = Omit<TargetAddress, 'connect'> &
  (
    | {
        /** Judged, of the host. */
        readonly address: string;
        readonly server?: never;
      }
    | {
        /** Only this server reaches the host, and only the console reaches the server. */
        readonly server: string;
        readonly address?: never;
      }
  );

const CALL_MS = 60_000;

@Injectable()
export class DatabaseConnections {
  constructor(
    private readonly outbound: Outbound,
    private readonly registry: ServerRegistry,
    private readonly servers: ServerConnections,
    @Inject(recordsOf(database)) private readonly things: PlainRecords,
  ) {}

  /**
   * Currently recorded fields.
   * @throws DomainError `notFound`
   */
  async access(id: string, workspace: string): Promise<DatabaseAccess> {
    return (await this.things.opened(id, workspace)) as unknown as DatabaseAccess;
  }

  /** As `openAs`. @throws DatabaseFailure, DomainError `notFound` */
  async open(id: string, meta: CommandMeta, signal?: AbortSignal): Promise<Target> {
    return this.openAs(await this.access(id, meta.workspace), meta, signal);
  }

  /**
   * @param access does not have to be recorded
   * @param signal closes the connection. Without it, the conversation belongs to a call and must end within a minute
   * @throws DatabaseFailure
   */
  async openAs(access: DatabaseAccess, meta: CommandMeta, signal?: AbortSignal): Promise<Target> {
    const { host, port, username, name, dbType, certificate, clientCertificate, server } = access;
    const hasCertificate = certificate.trim() !== '';
    const hasIdentity = clientCertificate !== '';
    const type = databaseTypes[dbType - 1] ?? '';
    let isEncrypted = hasCertificate || hasIdentity;
    try {
      const reached = server ? undefined : await this.reach({ host, port });
      const protection = protectionOf(access, reached);
      isEncrypted ||= protection === 'authorities';
      return await openTarget(
        {
          ...addressOf(access, protection),
          connect: server ? this.through(server.id, meta) : directly(reached, port),
        },
        { ...PATIENCE, ...(signal ? { signal } : { totalMs: CALL_MS }) },
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DatabaseFailure) throw error;
      throw databaseFailure(error, {
        host,
        port,
        username,
        name,
        type,
        isEncrypted,
        hasCertificate,
        hasIdentity,
      });
    }
  }

  /**
   * For a process of ours that has no SSH. @throws DomainError `notFound`, `unavailable`
   */
  async route(id: string, workspace: string): Promise<DatabaseRoute> {
    const access = await this.access(id, workspace);
    const { server } = access;
    if (server) return { ...addressOf(access, protectionOf(access, undefined)), server: server.id };
    const reached = await this.reach(access);
    return { ...addressOf(access, protectionOf(access, reached)), address: reached.address };
  }

  /** A stream to a database that such a process cannot reach itself. @throws DatabaseFailure */
  forward(server: string, to: ForwardTo, workspace: string): Promise<Duplex> {
    return this.through(server, ownMeta('system', workspace))(to, PATIENCE.connectMs);
  }

  private async reach(at: { host: string; port: number }): Promise<Reached> {
    return this.outbound.reach(at).catch((error: unknown) => {
      if (error instanceof DomainError) throw new DatabaseFailure('host', error.msg, error);
      throw error;
    });
  }

  private through(id: string, meta: CommandMeta): Connect {
    return async (to, withinMs) => {
      try {
        const server = await this.registry.server(id, meta.workspace);
        return await inTime(this.servers.forward({ id, server, meta }, to), withinMs);
      } catch (error) {
        if (!(error instanceof SshFailure || error instanceof DomainError)) throw error;
        const field = error.code === 'forwardFailed' ? 'host' : 'server';
        throw new DatabaseFailure(field, error.msg, error);
      }
    };
  }
}

const addressOf = (
  { host, port, username, password, name, dbType, certificate, clientCertificate }: DatabaseAccess,
  protection: Protection,
): Omit<TargetAddress, 'connect'> => ({
  dialect: dbType === 2 ? 'postgresql' : 'mysql',
  host,
  port,
  protection,
  user: username,
  password,
  database: name,
  ...(certificate.trim() !== '' && { certificate }),
  ...(clientCertificate !== '' && { identity: clientCertificate }),
});

const directly =
  (reached: Reached | undefined, port: number): Connect =>
  ({ host }, withinMs) =>
    socketTo({ host: reached?.host ?? host, port, ...(reached && { lookup: reached.lookup }) }, withinMs);

const protectionOf = ({ encryption }: DatabaseAccess, reached: Reached | undefined): Protection => {
  if (encryption === 'none') return 'none';
  const isPublic = reached?.addresses.some((address) => insideWord(address) === undefined) ?? false;
  return isPublic ? 'authorities' : 'scram';
};

/** The SSH server may wait for the host much longer than we do. A stream that arrives too late is closed. */
const inTime = async (opening: Promise<Duplex>, withinMs: number): Promise<Duplex> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, withinMs, 'late');
  });
  try {
    const first = await Promise.race([opening, late]);
    if (first !== 'late') return first;
    opening.then((stream) => stream.destroy()).catch(() => undefined);
    throw new SshFailure('forwardFailed', `no answer within ${withinMs / 1000} s through this server`);
  } finally {
    clearTimeout(timer);
  }
};
