import { Inject, Injectable } from '@nestjs/common';
import { Decisions } from '../platform/decider-handlers';
import { CLAIMS, type Claims } from '../platform/tokens';
import { UniqueNames } from '../platform/unique-names';
import { domainsDecider } from './domains.decider';

@Injectable()
export class DomainNames extends UniqueNames {
  constructor(@Inject(CLAIMS) claims: Claims, @Inject(Decisions) decisions: Decisions) {
    super(claims, {
      scope: 'domain-name',
      field: 'serverName',
      taken: 'there is a domain of this name already',
      nameOf: async (workspace, id) => {
        const { state } = await decisions.load(domainsDecider, id, workspace);
        return state.is === 'present' ? state.serverName : undefined;
      },
      isOver: async (workspace, id) =>
        (await decisions.load(domainsDecider, id, workspace)).state.is === 'removed',
    });
  }
}
