// covers: AUTH-12
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AddFactor,
  AssignRole,
  ChangeRole,
  ConnectAccount,
  DisconnectAccount,
  ForgetPerson,
  GiveFactor,
  IssueSignInLink,
  JoinWorkspace,
  MakeRecoveryCodes,
  personDecider,
  RemoveFactor,
  RemovePerson,
  RenameFactor,
  RenamePerson,
  ResetFactors,
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

describe('second factors of a person', () => {
  const factor = '0193f0a0-0000-7000-8000-00000000f001';
  const added = { type: 'SecondFactorAdded', data: { factor, kind: 'totp' } } as const;
  const made = { type: 'RecoveryCodesGenerated', data: { count: 10 } } as const;
  const reset = { type: 'SecondFactorCleared', data: {} } as const;
  const add = (id_ = factor) => new AddFactor(id, { factor: id_, kind: 'totp' }, meta);
  const dropped = (demanded: boolean) => new RemoveFactor(id, { factor, demanded }, meta);
  const resetting = (byCli: boolean) => new ResetFactors(id, { byCli }, meta);

  it('are added once, named, given and removed', () => {
    given(personDecider, [joined]).when(add()).then([added]);
    given(personDecider, [joined, added]).when(add()).thenNothing();
    given(personDecider, [joined, added, became('member')])
      .when(new RenameFactor(id, { factor }, meta))
      .then([{ type: 'SecondFactorRenamed', data: { factor, kind: 'totp' } }]);
    given(personDecider, [joined, added])
      .when(new GiveFactor(id, { kind: 'passkey' }, meta))
      .then([{ type: 'SecondFactorGiven', data: { kind: 'passkey' } }]);
    given(personDecider, [joined, added])
      .when(dropped(false))
      .then([{ type: 'SecondFactorRemoved', data: { factor, kind: 'totp' } }]);
    given(personDecider, [joined]).when(dropped(false)).thenRejected('notFound');
  });

  it('stay while the workspace demands one and it is the last', () => {
    given(personDecider, [joined, added]).when(dropped(true)).thenRejected('conflict');
    const other = { type: 'SecondFactorAdded', data: { factor: id, kind: 'passkey' } } as const;
    given(personDecider, [joined, added, other])
      .when(dropped(true))
      .then([{ type: 'SecondFactorRemoved', data: { factor, kind: 'totp' } }]);
  });

  it('are at most twenty', () => {
    const twenty = Array.from({ length: 20 }, (_, at) => ({
      ...added,
      data: { ...added.data, factor: factor.replace('f001', `e0${String(at).padStart(2, '0')}`) },
    }));
    given(personDecider, [joined, ...twenty])
      .when(add())
      .thenRejected('conflict');
  });

  it('come with recovery codes, which are counted down', () => {
    const generate = new MakeRecoveryCodes(id, { count: 10 }, meta);
    given(personDecider, [joined]).when(generate).thenRejected('conflict');
    given(personDecider, [joined, added]).when(generate).then([made]);
    given(personDecider, [joined, added, made])
      .when(new GiveFactor(id, { kind: 'recovery' }, meta))
      .then([
        { type: 'SecondFactorGiven', data: { kind: 'recovery' } },
        { type: 'RecoveryCodeUsed', data: { left: 9 } },
      ]);
  });

  it('are reset by an administrator; those of superadministrators at the command line only', () => {
    given(personDecider, [joined, added]).when(resetting(false)).then([reset]);
    given(personDecider, [joined]).when(resetting(false)).thenNothing();
    given(personDecider, [joined, added, reset]).when(resetting(true)).thenNothing();
    given(personDecider, [joined, added, removed, joined]).when(resetting(true)).thenNothing();
    given(personDecider, [joinedAs('superadmin'), added])
      .when(resetting(false))
      .thenRejected('forbidden');
    given(personDecider, [joinedAs('superadmin'), added])
      .when(resetting(true))
      .then([reset]);
  });
});
