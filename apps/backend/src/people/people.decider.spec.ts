import { given, meta } from '../platform/decider-testing';
import { ChangeRole, IssueSignInLink, JoinWorkspace, personDecider, SignIn, SignOut } from './people.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const joined = { type: 'PersonJoined', data: { role: 'admin' } } as const;

describe('a person', () => {
  it('joins a workspace once', () => {
    given(personDecider, [])
      .when(new JoinWorkspace(id, { role: 'admin' }, meta))
      .then([joined]);
    given(personDecider, [joined])
      .when(new JoinWorkspace(id, { role: 'member' }, meta))
      .thenNothing();
  });

  it('gets another role, and the same role is no news', () => {
    const becameMember = { type: 'PersonRoleChanged', data: { role: 'member' } } as const;
    given(personDecider, [joined])
      .when(new ChangeRole(id, { role: 'member' }, meta))
      .then([becameMember]);
    given(personDecider, [joined, becameMember])
      .when(new ChangeRole(id, { role: 'member' }, meta))
      .thenNothing();
  });

  it('is given a link, signs in and signs out', () => {
    const expiresAt = '2026-11-20T13:00:00.000Z';
    given(personDecider, [joined])
      .when(new IssueSignInLink(id, { expiresAt }, meta))
      .then([{ type: 'SignInLinkIssued', data: { expiresAt } }]);
    given(personDecider, [joined])
      .when(new SignIn(id, { via: 'link' }, meta))
      .then([{ type: 'PersonSignedIn', data: { via: 'link' } }]);
    given(personDecider, [joined])
      .when(new SignOut(id, {}, meta))
      .then([{ type: 'PersonSignedOut', data: {} }]);
  });

  it('who never joined can do nothing', () => {
    given(personDecider, [])
      .when(new SignIn(id, { via: 'link' }, meta))
      .thenRejected('notFound', /could not be found/);
  });
});
