import { Inject, Injectable } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { Decisions, UniqueNames } from '../platform/decisions';
import { CLAIMS, EVENT_STORE, type Claims, type EventStore } from '../platform/tokens';
import { domainsDecider } from './domains.decider';

@Injectable()
export class DomainNames extends UniqueNames {
  constructor(@Inject(CLAIMS) claims: Claims, decisions: Decisions, @Inject(EVENT_STORE) store: EventStore) {
    super(claims, {
      scope: 'domain-name',
      field: 'serverName',
      taken: 'a domain with this name already exists',
      bearers: 'select workspace, id, "serverName" as name from read.domains order by position',
      nameOf: async (workspace, id) => {
        const { state } = await decisions.load(domainsDecider, id, workspace);
        return state.is === 'present' ? state.serverName : undefined;
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
}
