/** A token with which a product reads its texts and notifications. Each token has its own stream. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { publicTokenEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type PublicTokenEvent = EventsOf<typeof publicTokenEvents>;

type PublicTokenState =
  | { is: 'unknown' }
  | { is: 'valid' | 'revoked'; token: EventData<'PublicTokenIssued'> };

export class IssuePublicToken extends command('IssuePublicToken', { opens: true })(
  (data: EventData<'PublicTokenIssued'>, { is }: PublicTokenState) => {
    if (is !== 'unknown') throw new DomainError('conflict', 'this token exists already');
    return [{ type: 'PublicTokenIssued', data }];
  },
) {}

export class RecordPublicTokenUse extends command('RecordPublicTokenUse')(
  (data: EventData<'PublicTokenUsed'>, { is }: PublicTokenState) => {
    // A token may be revoked before its last uses are counted.
    return is === 'valid' ? [{ type: 'PublicTokenUsed', data }] : [];
  },
) {}

export class RevokePublicToken extends command('RevokePublicToken', { idempotent: true })(
  (_: object, state: PublicTokenState) => {
    if (state.is === 'unknown') throw notFound('product token');
    const { fingerprint } = state.token;
    return state.is === 'revoked' ? [] : [{ type: 'PublicTokenRevoked', data: { fingerprint } }];
  },
) {}

export const publicTokenDecider = deciderOf<PublicTokenState, PublicTokenEvent>()({
  category: 'publictoken',
  commands: [IssuePublicToken, RecordPublicTokenUse, RevokePublicToken],
  initial: { is: 'unknown' },
  evolve: {
    PublicTokenIssued: (_, token) => ({ is: 'valid', token }),
    PublicTokenRevoked: (state) => (state.is === 'unknown' ? state : { ...state, is: 'revoked' }),
  },
});
