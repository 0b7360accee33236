import type { EventsOf, InvitationWay, Role } from '@quarterdeck/events';
import type { invitationEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

type InvitationEvent = EventsOf<typeof invitationEvents>;

interface Offer {
  role: Role;
  via: InvitationWay;
  expiresAt: string;
}

export class IssueInvitation extends command('IssueInvitation', { opens: true, idempotent: true })<Offer>() {}
export class WithdrawInvitation extends command('WithdrawInvitation', { idempotent: true })<
  Record<never, never>
>() {}
export class AcceptInvitation extends command('AcceptInvitation', { idempotent: true })<{
  person: string;
}>() {}

const invitationCommands = [IssueInvitation, WithdrawInvitation, AcceptInvitation];
export type InvitationCommand = CommandOf<typeof invitationCommands>;

export interface InvitationState {
  offer?: Offer;
  withdrawn?: true;
  acceptedBy?: string;
}

const overNow = (): DomainError => new DomainError('conflict', 'this invitation is no longer open');

const withdraw = ({ withdrawn, acceptedBy }: InvitationState): InvitationEvent[] => {
  if (acceptedBy !== undefined)
    throw new DomainError('conflict', 'this invitation has already been accepted');
  return withdrawn ? [] : [{ type: 'InvitationWithdrawn', data: {} }];
};

const accept = (command: AcceptInvitation, offer: Offer, state: InvitationState): InvitationEvent[] => {
  const { person } = command.data;
  if (state.acceptedBy === person) return [];
  if (state.withdrawn || state.acceptedBy !== undefined || command.meta.at >= offer.expiresAt)
    throw overNow();
  return [{ type: 'InvitationAccepted', data: { person } }];
};

export const invitationDecider: Decider<InvitationState, InvitationCommand, InvitationEvent> = {
  category: 'invitation',
  commands: invitationCommands,
  initial: {},
  decide: (command, state) => {
    if (command.type === 'IssueInvitation')
      return state.offer ? [] : [{ type: 'InvitationIssued', data: command.data }];
    if (!state.offer) throw notFound('invitation');
    return command.type === 'WithdrawInvitation' ? withdraw(state) : accept(command, state.offer, state);
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'InvitationIssued':
        return { offer: event.data };
      case 'InvitationWithdrawn':
        return { ...state, withdrawn: true };
      case 'InvitationAccepted':
        return { ...state, acceptedBy: event.data.person };
    }
  },
};
