import type { EventsOf, InvitationWay, Role } from '@quarterdeck/events';
import type { invitationEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type InvitationEvent = EventsOf<typeof invitationEvents>;

interface Offer {
  role: Role;
  via: InvitationWay;
  expiresAt: string;
}

export interface InvitationState {
  offer?: Offer;
  withdrawn?: true;
  acceptedBy?: string;
}

const offerIn = ({ offer }: InvitationState): Offer => {
  if (!offer) throw notFound('invitation');
  return offer;
};

export class IssueInvitation extends command('IssueInvitation', { opens: true, idempotent: true })(
  (data: Offer, { offer }: InvitationState) => (offer ? [] : [{ type: 'InvitationIssued', data }]),
) {}

export class WithdrawInvitation extends command('WithdrawInvitation', { idempotent: true })(
  (_: Record<never, never>, state: InvitationState) => {
    offerIn(state);
    if (state.acceptedBy !== undefined)
      throw new DomainError('conflict', 'this invitation has already been accepted');
    return state.withdrawn ? [] : [{ type: 'InvitationWithdrawn', data: {} }];
  },
) {}

export class AcceptInvitation extends command('AcceptInvitation', { idempotent: true })(
  (data: { person: string }, state: InvitationState, { at }) => {
    const { expiresAt } = offerIn(state);
    if (state.acceptedBy === data.person) return [];
    if (state.withdrawn || state.acceptedBy !== undefined || at >= expiresAt)
      throw new DomainError('conflict', 'this invitation is no longer open');
    return [{ type: 'InvitationAccepted', data }];
  },
) {}

export const invitationDecider = deciderOf<InvitationState, InvitationEvent>()({
  category: 'invitation',
  commands: [IssueInvitation, WithdrawInvitation, AcceptInvitation],
  initial: {},
  evolve: {
    InvitationIssued: (_, offer) => ({ offer }),
    InvitationWithdrawn: (state) => ({ ...state, withdrawn: true }),
    InvitationAccepted: (state, { person }) => ({ ...state, acceptedBy: person }),
  },
});
