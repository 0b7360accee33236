import { Inject, Injectable } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { namesOfSite, type DomainView } from '@quarterdeck/projections';
import { Decisions, UniqueNames } from '../platform/decisions';
import { inView } from '../platform/in-view';
import { type Claims } from '../platform/decisions';
import { CLAIMS, EVENT_STORE, type EventStore } from '../platform/tokens';
import { domainsDecider } from './domains.decider';
import { nameField, type SiteName } from './site-names';

const view = inView<DomainView>('view');

@Injectable()
export class DomainNames extends UniqueNames {
  constructor(@Inject(CLAIMS) claims: Claims, decisions: Decisions, @Inject(EVENT_STORE) store: EventStore) {
    super(claims, {
      scope: 'domain-name',
      field: 'serverName',
      taken: 'a domain with this name already exists',
      bearers: `select workspace, id, name from (
        select workspace, id, position, "serverName" as name from read.domains
        union all
        select workspace, id, position, other->>'name' from read.domains,
          jsonb_array_elements(coalesce(${view.json('names')}, '[]')) as other) as named
        order by position`,
      nameOf: async (workspace, id) => {
        const { state } = await decisions.load(domainsDecider, id, workspace);
        return state.is === 'present' ? namesOfSite(state) : undefined;
      },
      isOver: async (workspace, id, since) => {
        const { state, revision } = await decisions.load(domainsDecider, id, workspace);
        if (state.is !== 'removed') return false;
        // Claimed again since then: the domain is being restored.
        const [removal] = await store.readStream(streamName(domainsDecider.category, id), { from: revision });
        return removal !== undefined && Date.parse(removal.recordedAt) >= since.getTime();
      },
    });
  }

  /** Runs `work`, which gives the domain these other names. A refusal names the row. */
  whileAllClaimed<T>(
    workspace: string,
    names: readonly SiteName[],
    id: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const claiming = names.reduceRight(
      (inner, { name }, index) =>
        () =>
          this.withClaimedName(workspace, name, id, inner, nameField(index)),
      work,
    );
    return claiming();
  }

  /** @throws DomainError on the row of a name that another domain has */
  async refuseAnyTaken(workspace: string, names: readonly SiteName[], id: string): Promise<void> {
    for (const [index, { name }] of names.entries())
      await this.refuseTaken(workspace, name, id, nameField(index));
  }
}
