/** A token with which a running app reads its own variables. Each token has its own stream. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { appTokenEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type AppTokenEvent = EventsOf<typeof appTokenEvents>;

export class IssueAppToken extends command('IssueAppToken', { opens: true })<EventData<'AppTokenIssued'>>() {}
export class RecordAppTokenUse extends command('RecordAppTokenUse')<{ count: number }>() {}
export class RevokeAppToken extends command('RevokeAppToken', { idempotent: true })<object>() {}

const appTokenCommands = [IssueAppToken, RecordAppTokenUse, RevokeAppToken];
export type AppTokenCommand = CommandOf<typeof appTokenCommands>;

export type AppTokenState =
  | { is: 'unknown' }
  | { is: 'valid' | 'revoked'; token: EventData<'AppTokenIssued'> };

export const appTokenDecider: Decider<AppTokenState, AppTokenCommand, AppTokenEvent> = {
  category: 'apptoken',
  commands: appTokenCommands,
  initial: { is: 'unknown' },
  decide: (given, state) => {
    if (given.type === 'IssueAppToken') {
      if (state.is !== 'unknown') throw new DomainError('conflict', 'this token exists already');
      return [{ type: 'AppTokenIssued', data: given.data }];
    }
    if (state.is === 'unknown') throw notFound('app token');
    if (given.type === 'RevokeAppToken')
      return state.is === 'revoked'
        ? []
        : [{ type: 'AppTokenRevoked', data: { fingerprint: state.token.fingerprint } }];
    if (state.is === 'revoked') throw notFound('app token');
    return [{ type: 'AppTokenUsed', data: { env: state.token.env, count: given.data.count } }];
  },
  evolve: (state, event) => {
    if (event.type === 'AppTokenIssued') return { is: 'valid', token: event.data };
    if (state.is === 'unknown' || event.type === 'AppTokenUsed') return state;
    return { ...state, is: 'revoked' };
  },
};
