import { Inject, Injectable } from '@nestjs/common';
import { Decisions, UniqueNames } from '../platform/decisions';
import { CLAIMS, type Claims } from '../platform/tokens';
import { scriptsDecider } from './scripts.decider';

@Injectable()
export class ScriptNames extends UniqueNames {
  constructor(@Inject(CLAIMS) claims: Claims, decisions: Decisions) {
    super(claims, {
      scope: 'script-name',
      field: 'name',
      taken: 'another script already has this name',
      bearers: 'select workspace, id, name from read.scripts order by position',
      nameOf: async (workspace, id) => {
        const { state } = await decisions.load(scriptsDecider, id, workspace);
        return state.is === 'saved' ? state.name : undefined;
      },
    });
  }
}
