/** All sites of a server as one text, as they are live, and a compose file with an nginx in a container. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, servers } from '@quarterdeck/contract';
import { configInWords, configStateOf, problemsInWords } from '@quarterdeck/projections';
import { listDomainsOfServer, liveTexts, PendingChanges } from '../domains';
import { Port } from '../platform/port';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { dockerCompose } from './site-compose';
import { serverStatement } from './site-config';
import { siteProblems } from './site-problems';
import { Sites } from './sites';

/** Everything else served on a server: entries of its compose file, and files beside those of its sites. */
export interface ServedBeside {
  services: Record<string, object>;
  files: { name: string; text: string }[];
}

type Beside = (server: { id: string; root: string }, workspace: string) => Promise<ServedBeside>;

@Injectable()
export class ServerSites extends Port<Beside> {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly servers: ServerRegistry,
    private readonly sites: Sites,
    private readonly pending: PendingChanges,
  ) {
    super('what is served beside the sites');
  }

  /** @throws DomainError `notFound`, or `invalid` with the folders of the server that cannot be written for nginx */
  async config(id: string, workspace: string): Promise<Answer<typeof servers.config>> {
    const server = await this.servers.server(id, workspace);
    const rows = await listDomainsOfServer(this.db, workspace, id);
    const domains = await this.pending.added(rows);
    const live = await liveTexts(
      this.db,
      domains.map((domain) => domain.id),
    );
    const sites = await Promise.all(
      domains.map(async (domain) => {
        const site = await this.sites.site(await this.sites.domain(domain.id, workspace), workspace);
        const problems = problemsInWords(siteProblems(site), site.locations, site.names);
        return { domain, site, problems, live: live.get(domain.id) };
      }),
    );
    const { services, files } = await this.given({ ...server, id }, workspace);
    const texts = files.map(({ name, text }) => `# ${name}\n${text}`);
    return {
      nginxStatement: [serverStatement(sites), ...texts].filter((text) => text !== '').join('\n'),
      unapplied: sites
        .filter(({ domain, problems }) => configStateOf(domain) !== 'applied' || problems.length > 0)
        .map(({ domain, problems }) => ({
          id: domain.id,
          serverName: domain.serverName,
          problems,
          state: problems.length > 0 ? 'cannot be written' : configInWords(domain),
        })),
      dockerCompose: dockerCompose(
        server,
        sites.map(({ site }) => site),
        services,
      ),
    };
  }
}
