/** One look at a site. The watch and an inspection use it, so they record the same. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { recordLook, RecordSiteAnswer, watchedSite, type SiteAnswer, type WatchedSite } from '../domains';
import { Outbound, OutboundRefused } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { lookAtSite, lookedSite } from './site-look';

export interface Looked {
  site: WatchedSite;
  answer: SiteAnswer;
}

@Injectable()
export class SiteLooks {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly outbound: Outbound,
  ) {}

  /**
   * The main name stands for all of them, except right after an apply (`everyName`), and as long as a site is not as it
   * should be.
   * @returns undefined if there is nothing to look at, or if this console may not call the server
   */
  async look(id: string, signal: AbortSignal, everyName = false): Promise<Looked | undefined> {
    const site = await watchedSite(this.db, id);
    if (!site) return undefined;
    const every = everyName || (site.is !== undefined && site.is !== 'answers');
    const others = every ? (site.names ?? []).map(({ name }) => name) : [];
    const visited = lookedSite(site, site.text, site.locations, others);
    try {
      const seen = await lookAtSite(this.outbound, visited, signal);
      const stopped = site.nginx === 'stopped' && (seen.is === 'silent' || seen.is === 'tlsGone');
      return { site, answer: stopped ? { ...seen, is: 'nginxStopped' } : seen };
    } catch (error) {
      if (error instanceof OutboundRefused) return undefined;
      throw error;
    }
  }

  async record({ site, answer }: Looked, meta: CommandMeta): Promise<void> {
    const { id, serverName, server, sha256 } = site;
    await recordLook(this.db, site);
    if (answer.is === site.is) return;
    await this.commands.execute(new RecordSiteAnswer(id, { serverName, server, sha256, answer }, meta));
  }
}
