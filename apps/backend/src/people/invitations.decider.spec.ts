// covers: AUTH-12
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AcceptInvitation,
  invitationDecider,
  IssueInvitation,
  WithdrawInvitation,
} from './invitations.decider';

const id = '0193f0a0-0000-7000-8000-000000000002';
const [ada, bob] = ['0193f0a0-0000-7000-8000-00000000000a', '0193f0a0-0000-7000-8000-00000000000b'];
const offer = { role: 'member', via: 'link', expiresAt: '2026-11-20T12:00:00.001Z' } as const;
const issued = { type: 'InvitationIssued', data: offer } as const;
const withdrawn = { type: 'InvitationWithdrawn', data: {} } as const;
const accepted = { type: 'InvitationAccepted', data: { person: ada } } as const;
const issue = new IssueInvitation(id, offer, meta);
const withdraw = new WithdrawInvitation(id, {}, meta);
const accept = (person: string, at = meta.at) => new AcceptInvitation(id, { person }, { ...meta, at });

describe('an invitation', () => {
  it('is issued once and accepted once', () => {
    given(invitationDecider, []).when(issue).then([issued]);
    given(invitationDecider, [issued]).when(accept(ada)).then([accepted]);
    given(invitationDecider, [issued, accepted])
      .when(accept(bob))
      .thenRejected('conflict', /no longer open/);
  });

  it('expires', () => {
    given(invitationDecider, [issued])
      .when(accept(ada, offer.expiresAt))
      .thenRejected('conflict', /no longer open/);
  });

  it('is withdrawn unless it was accepted, and cannot be accepted after that', () => {
    given(invitationDecider, [issued]).when(withdraw).then([withdrawn]);
    given(invitationDecider, [issued, withdrawn])
      .when(accept(ada))
      .thenRejected('conflict', /no longer open/);
    given(invitationDecider, [issued, accepted])
      .when(withdraw)
      .thenRejected('conflict', /already been accepted/);
  });

  it('cannot be found if it was never issued', () => {
    for (const command of [withdraw, accept(ada)])
      given(invitationDecider, []).when(command).thenRejected('notFound');
  });
});
