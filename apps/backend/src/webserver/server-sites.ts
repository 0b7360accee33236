/** All sites of a server as one text: for its nginx, and as a compose file for an nginx in a container. */
import { Inject, Injectable } from '@nestjs/common';
import { domainsOfServer } from '../domains';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { dockerCompose } from './site-compose';
import { serverStatement } from './site-config';
import { Sites } from './sites';

@Injectable()
export class ServerSites {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(ServerRegistry) private readonly servers: ServerRegistry,
    @Inject(Sites) private readonly sites: Sites,
  ) {}

  /** @throws DomainError `notFound`, or `invalid` with the fields that cannot be written for nginx */
  async config(id: string, workspace: string): Promise<{ nginxStatement: string; dockerCompose: string }> {
    const server = await this.servers.server(id, workspace);
    const rows = await domainsOfServer(this.db, workspace, id);
    const sites = await Promise.all(
      rows.map(async (row) => this.sites.site(await this.sites.domain(row.id, workspace), workspace)),
    );
    return { nginxStatement: serverStatement(sites), dockerCompose: dockerCompose(server, sites) };
  }
}
