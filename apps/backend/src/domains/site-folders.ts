/**
 * A server's folder for sites must not change while it contains configurations of ours: its nginx would keep serving
 * them, and a later removal would look in the new folder.
 */
import { Inject, Injectable } from '@nestjs/common';
import { caughtUp } from '../platform/caught-up';
import { invalidField } from '../platform/errors';
import { DB, EVENT_STORE, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { domainsOfServer } from './domains.queries';

const NAMED = 3;

@Injectable()
export class SiteFolders {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
  ) {}

  /** @throws DomainError on `nginxPath` */
  async refuseMove({ id, nginxPath }: { id: string; nginxPath: string }, workspace: string): Promise<void> {
    await caughtUp(this.store, this.projections, 'it is not known at the moment what is served there');
    const domains = await domainsOfServer(this.db, workspace, id);
    const live = domains.filter(({ config }) => config !== undefined).map(({ serverName }) => serverName);
    if (live.length > 0) throw invalidField('nginxPath', refusal(live, nginxPath));
  }
}

const refusal = (names: readonly string[], folder: string): string => {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const whose = `${names.slice(0, NAMED).join(', ')}${more}`;
  return `remove the configuration of ${whose} from the server first: otherwise it would stay in ${folder} and be served`;
};
