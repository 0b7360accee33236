/** The port of a service: one that its server itself answers at cannot work. */
import { Injectable } from '@nestjs/common';
import type { service, ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Values } from '../platform/kit';
import { ServerRegistry } from '../servers';

type Placed = Pick<ValuesOf<typeof service>, 'port' | 'server'>;

/** Why a service of the server cannot have the port; undefined if it can. */
export const refusedServerPort = (
  port: number,
  server: { alias: string; port: number },
): string | undefined =>
  port === server.port
    ? `${server.alias} itself answers SSH at port ${port}: choose another, such as 3000`
    : undefined;

@Injectable()
export class PortFields {
  constructor(private readonly servers: ServerRegistry) {}

  /** @throws DomainError on `port` */
  async judge(given: Values, was: Values | undefined, workspace: string): Promise<void> {
    const [after, before] = [given as unknown as Placed, was as unknown as Placed | undefined];
    if (after.server === null) return;
    if (after.port === before?.port && after.server.id === before.server?.id) return;
    const server = await this.servers.server(after.server.id, workspace);
    const reason = refusedServerPort(after.port, server);
    if (reason !== undefined) throw invalidField('port', reason);
  }
}
