// covers: AUTH-12
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AssignRole,
  ChangeRole,
  ConnectAccount,
  DisconnectAccount,
  ForgetPerson,
  IssueSignInLink,
  JoinWorkspace,
  personDecider,
  RemovePerson,
  RenamePerson,
  SignIn,
  SignOut,
} from './people.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const joinedAs = (role: 'member' | 'admin' | 'superadmin') =>
  ({ type: 'PersonJoined', data: { role } }) as const;
const joined = joinedAs('admin');
const became = (role: 'member' | 'admin') => ({ type: 'PersonRoleChanged', data: { role } }) as const;
const removed = { type: 'PersonRemoved', data: {} } as const;
const forgotten = { type: 'PersonForgotten', data: {} } as const;
const assign = (role: 'member' | 'admin', lastAdmin = false) => new AssignRole(id, { role, lastAdmin }, meta);
const change = (role: 'member' | 'admin', lastAdmin = false) => new ChangeRole(id, { role, lastAdmin }, meta);
const remove = (lastAdmin = false) => new RemovePerson(id, { lastAdmin }, meta);

describe('a person', () => {
  it('joins a workspace once', () => {
    given(personDecider, [])
      .when(new JoinWorkspace(id, { role: 'admin' }, meta))
      .then([joined]);
    given(personDecider, [joined])
      .when(new JoinWorkspace(id, { role: 'member' }, meta))
      .thenNothing();
  });

  it('gets another role; assigning the same role records nothing', () => {
    given(personDecider, [joined])
      .when(change('member'))
      .then([became('member')]);
    given(personDecider, [joined, became('member')])
      .when(change('member'))
      .thenNothing();
  });

  it('gets a link, signs in and signs out', () => {
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

  it('connects and disconnects accounts', () => {
    const provider = 'google';
    given(personDecider, [joined])
      .when(new ConnectAccount(id, { provider }, meta))
      .then([{ type: 'AccountConnected', data: { provider } }]);
    given(personDecider, [joined])
      .when(new DisconnectAccount(id, { provider }, meta))
      .then([{ type: 'AccountDisconnected', data: { provider } }]);
    given(personDecider, [joined, removed])
      .when(new ConnectAccount(id, { provider }, meta))
      .thenRejected('notFound');
  });

  it('who never joined can do nothing, and cannot be changed', () => {
    for (const command of [new SignIn(id, { via: 'link' }, meta), assign('admin'), remove()])
      given(personDecider, [])
        .when(command)
        .thenRejected('notFound', /could not be found/);
    given(personDecider, [])
      .when(new ForgetPerson(id, {}, meta))
      .thenRejected('notFound');
  });
});

describe('a member', () => {
  it('is made an administrator by another one, and back', () => {
    given(personDecider, [joinedAs('member')])
      .when(assign('admin'))
      .then([became('admin')]);
    given(personDecider, [joined])
      .when(assign('member'))
      .then([became('member')]);
    given(personDecider, [joined]).when(assign('admin', true)).thenNothing();
  });

  it('stays an administrator while there is no other, whoever asks', () => {
    for (const command of [assign('member', true), change('member', true)])
      given(personDecider, [joined])
        .when(command)
        .thenRejected('conflict', /needs an administrator/);
    given(personDecider, [joinedAs('superadmin')])
      .when(change('member', true))
      .thenRejected('conflict', /needs an administrator/);
    given(personDecider, [joinedAs('superadmin')])
      .when(change('admin', true))
      .then([became('admin')]);
    given(personDecider, [joined])
      .when(remove(true))
      .thenRejected('conflict', /needs an administrator/);
    given(personDecider, [joinedAs('member')])
      .when(remove(true))
      .then([removed]);
  });

  it('cannot be changed from the console while they are a superadministrator', () => {
    const superadmin = joinedAs('superadmin');
    given(personDecider, [superadmin])
      .when(assign('member'))
      .thenRejected('forbidden', /command line/);
    given(personDecider, [superadmin])
      .when(remove())
      .thenRejected('forbidden', /command line/);
    given(personDecider, [superadmin])
      .when(change('member'))
      .then([became('member')]);
    given(personDecider, [joined])
      .when(new AssignRole(id, { role: 'superadmin', lastAdmin: false }, meta))
      .thenRejected('forbidden', /command line/);
  });

  it('gets another name, which the event does not contain', () => {
    given(personDecider, [joined])
      .when(new RenamePerson(id, {}, meta))
      .then([{ type: 'PersonRenamed', data: {} }]);
  });
});

describe('a former member', () => {
  it('was removed once and can do nothing any more', () => {
    given(personDecider, [joined]).when(remove()).then([removed]);
    for (const command of [
      new SignIn(id, { via: 'link' }, meta),
      new RenamePerson(id, {}, meta),
      assign('admin'),
    ])
      given(personDecider, [joined, removed]).when(command).thenRejected('notFound');
  });

  it('may come back with the role of the new invitation', () => {
    given(personDecider, [joined, removed])
      .when(new JoinWorkspace(id, { role: 'member' }, meta))
      .then([joinedAs('member')]);
    given(personDecider, [joined, removed, joinedAs('member')])
      .when(assign('admin'))
      .then([became('admin')]);
  });

  it('is forgotten after the removal, not before, and does not come back', () => {
    given(personDecider, [joined])
      .when(new ForgetPerson(id, {}, meta))
      .thenRejected('conflict', /remove/);
    given(personDecider, [joined, removed])
      .when(new ForgetPerson(id, {}, meta))
      .then([forgotten]);
    given(personDecider, [joined, removed, forgotten])
      .when(new JoinWorkspace(id, { role: 'member' }, meta))
      .thenRejected('conflict', /data was erased/);
  });
});
