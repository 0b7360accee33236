import { Inject, Injectable } from '@nestjs/common';
import { Decisions, UniqueNames } from '../platform/decisions';
import { type Claims } from '../platform/decisions';
import { CLAIMS } from '../platform/tokens';
import { serversDecider } from './servers.decider';

@Injectable()
export class ServerAliases extends UniqueNames {
  constructor(@Inject(CLAIMS) claims: Claims, decisions: Decisions) {
    super(claims, {
      scope: 'server-alias',
      field: 'alias',
      taken: 'another server already has this alias',
      bearers: 'select workspace, id, alias as name from read.servers order by position',
      nameOf: async (workspace, id) => {
        const { state } = await decisions.load(serversDecider, id, workspace);
        return state.is === 'registered' ? state.alias : undefined;
      },
    });
  }
}
