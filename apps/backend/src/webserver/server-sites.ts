/** All sites of a server as one text: for its nginx, and as a compose file for an nginx in a container. */
import { Inject, Injectable } from '@nestjs/common';
import { domainsOfServer } from '../domains';
import { Given } from '../platform/given';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { dockerCompose } from './site-compose';
import { serverStatement } from './site-config';
import { Sites } from './sites';

/** What else is served on a server: entries of its compose file, and files beside those of its sites. */
export interface ServedBeside {
  services: Record<string, object>;
  files: { name: string; text: string }[];
}

type Beside = (server: { id: string; root: string }, workspace: string) => Promise<ServedBeside>;

@Injectable()
export class ServerSites extends Given<Beside> {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly servers: ServerRegistry,
    private readonly sites: Sites,
  ) {
    super('what is served beside the sites');
  }

  /** @throws DomainError `notFound`, or `invalid` with the fields that cannot be written for nginx */
  async config(id: string, workspace: string): Promise<{ nginxStatement: string; dockerCompose: string }> {
    const server = await this.servers.server(id, workspace);
    const rows = await domainsOfServer(this.db, workspace, id);
    const sites = await Promise.all(
      rows.map(async (row) => this.sites.site(await this.sites.domain(row.id, workspace), workspace)),
    );
    const { services, files } = await this.given({ ...server, id }, workspace);
    const texts = files.map(({ name, text }) => `# ${name}\n${text}`);
    return {
      nginxStatement: [serverStatement(sites), ...texts].filter((text) => text !== '').join('\n'),
      dockerCompose: dockerCompose(server, sites, services),
    };
  }
}
