/** Removes the domains of a removed server. Their files on the server can no longer be reached and stay there. */
import { Inject, Injectable } from '@nestjs/common';
import { laterOf, type Position } from '@quarterdeck/events';
import type { Decision } from '../platform/decider';
import { followUp } from '../platform/decisions';
import { LeasedRounds, Leases } from '../platform/leases';
import { type CommandMeta, ownMeta } from '../platform/sessions';
import { DB, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { DomainRegistry, isGone } from './domain-registry';
import { domainsOfServer, domainsWithoutServer } from './domains.queries';

/** The read models are behind only briefly. `round` finds domains that they do not show in time. */
const PATIENCE_MS = 5000;
/** A server may have thousands of domains. */
const AT_ONCE = 16;
/** Without the sweep, domains would stay behind for ever if the removing process died. Nobody waits for it. */
const SWEEP_MS = 5 * 60_000;

@Injectable()
export class RemovedServers extends LeasedRounds {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly servers: ServerRegistry,
    private readonly domains: DomainRegistry,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'removed-servers',
      what: 'what removed servers left behind',
      everyMs: SWEEP_MS,
    });
  }

  /** Removes leftover domains of removed servers, in all workspaces, after the removing process died. */
  protected async round(signal: AbortSignal): Promise<void> {
    await this.servers.sweep();
    for (const domain of await domainsWithoutServer(this.db)) {
      if (signal.aborted) return;
      const { workspace, serverId } = domain;
      if (await this.servers.wasRemoved(serverId, workspace))
        await this.removeDomains([domain], ownMeta('system', workspace));
    }
  }

  /** @returns the position of the last event; undefined if it had no domains */
  async removeDomainsOf({ id, position }: Decision, meta: CommandMeta): Promise<Position | undefined> {
    await this.projections.waitFor(position, PATIENCE_MS);
    return this.removeDomains(await domainsOfServer(this.db, meta.workspace, id), meta);
  }

  private async removeDomains(
    domains: readonly { id: string }[],
    meta: CommandMeta,
  ): Promise<Position | undefined> {
    let last: Position | undefined;
    for (let done = 0; done < domains.length; done += AT_ONCE) {
      const some = domains.slice(done, done + AT_ONCE);
      const positions = await Promise.all(some.map(({ id }) => this.removeLeftBehind(id, meta)));
      for (const position of positions)
        last = position && last ? laterOf(last, position) : (position ?? last);
    }
    return last;
  }

  /** Everything stays on the server: nobody can reach it from here any more. */
  private async removeLeftBehind(id: string, meta: CommandMeta): Promise<Position | undefined> {
    try {
      const { position } = await this.domains.leave(id, followUp(meta, meta.causationId));
      return position;
    } catch (error) {
      // Somebody else removed it meanwhile.
      if (isGone(error)) return undefined;
      throw error;
    }
  }
}
