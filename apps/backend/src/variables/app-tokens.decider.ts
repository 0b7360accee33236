/** A token with which a running app reads its own variables. Each token has its own stream. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { appTokenEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type AppTokenEvent = EventsOf<typeof appTokenEvents>;

export type AppTokenState =
  | { is: 'unknown' }
  | { is: 'valid' | 'revoked'; token: EventData<'AppTokenIssued'> };

export class IssueAppToken extends command('IssueAppToken', { opens: true })(
  (data: EventData<'AppTokenIssued'>, { is }: AppTokenState) => {
    if (is !== 'unknown') throw new DomainError('conflict', 'this token exists already');
    return [{ type: 'AppTokenIssued', data }];
  },
) {}

export class RecordAppTokenUse extends command('RecordAppTokenUse')(
  ({ count }: { count: number }, state: AppTokenState) => {
    if (state.is !== 'valid') throw notFound('app token');
    return [{ type: 'AppTokenUsed', data: { env: state.token.env, count } }];
  },
) {}

export class RevokeAppToken extends command('RevokeAppToken', { idempotent: true })(
  (_: object, state: AppTokenState) => {
    if (state.is === 'unknown') throw notFound('app token');
    const { fingerprint } = state.token;
    return state.is === 'revoked' ? [] : [{ type: 'AppTokenRevoked', data: { fingerprint } }];
  },
) {}

export const appTokenDecider = deciderOf<AppTokenState, AppTokenEvent>()({
  category: 'apptoken',
  commands: [IssueAppToken, RecordAppTokenUse, RevokeAppToken],
  initial: { is: 'unknown' },
  evolve: {
    AppTokenIssued: (_, token) => ({ is: 'valid', token }),
    AppTokenRevoked: (state) => (state.is === 'unknown' ? state : { ...state, is: 'revoked' }),
  },
});
