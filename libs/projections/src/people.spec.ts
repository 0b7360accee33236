// covers: AUTH-12
import type { AppEvent } from '@quarterdeck/events';
import { invitations, people } from './people';
import { ALICE, logOf, viewOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000006';
const AT = '2026-11-20T12:00:00.000Z';
const fold = <V extends object>(
  projection: Parameters<typeof viewOf<V>>[0],
  stream: string,
  ...events: AppEvent[]
) => viewOf(projection, stream, logOf(...events.map((event) => [stream, event] as [string, AppEvent])));

const joined: AppEvent = { type: 'PersonJoined', data: { role: 'admin' } };
const removed: AppEvent = { type: 'PersonRemoved', data: {} };
const person = (...events: AppEvent[]) => fold(people, `person-${ID}`, ...events);

describe('the people read model', () => {
  test('keeps removed members, and says when they were removed', () => {
    expect(person(joined, removed)).toMatchObject({ id: ID, role: 'admin', removedAt: expect.any(String) });
    expect(person(joined, removed, { type: 'PersonForgotten', data: {} })).toMatchObject({
      removedAt: expect.any(String),
      forgottenAt: expect.any(String),
    });
  });

  test('somebody who comes back is a member again', () => {
    const back = person(joined, removed, { type: 'PersonJoined', data: { role: 'member' } });
    expect(back).toMatchObject({ role: 'member', revision: 2 });
    expect(back).not.toHaveProperty('removedAt');
  });
});

describe('the invitations read model', () => {
  const issued: AppEvent = {
    type: 'InvitationIssued',
    data: { role: 'member', via: 'link', expiresAt: '2026-11-27T12:00:00.000Z' },
  };
  const invitation = (...events: AppEvent[]) => fold(invitations, `invitation-${ID}`, ...events);

  test('lists open invitations', () => {
    expect(invitation(issued)).toEqual({
      id: ID,
      workspace: WORKSPACE,
      role: 'member',
      via: 'link',
      expiresAt: '2026-11-27T12:00:00.000Z',
      issuedAt: AT,
      issuedBy: ALICE,
      revision: 0,
      position: '1',
    });
  });

  test.each<AppEvent>([
    { type: 'InvitationWithdrawn', data: {} },
    { type: 'InvitationAccepted', data: { person: ID } },
  ])('$type removes it', (over) => {
    expect(invitation(issued, over)).toBeUndefined();
  });
});
