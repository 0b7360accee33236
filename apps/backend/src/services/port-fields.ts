/** The port of a service: one that its server itself answers at cannot work. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { service, type ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
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
export class PortFields implements OnModuleInit {
  constructor(
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    private readonly servers: ServerRegistry,
  ) {}

  onModuleInit(): void {
    this.services.judgeFields(async (given, was, workspace) => {
      const [after, before] = [given as unknown as Placed, was as unknown as Placed | undefined];
      if (after.server === null) return;
      if (after.port === before?.port && after.server.id === before.server?.id) return;
      const server = await this.servers.server(after.server.id, workspace);
      const reason = refusedServerPort(after.port, server);
      if (reason !== undefined) throw invalidField('port', reason);
    });
  }
}
