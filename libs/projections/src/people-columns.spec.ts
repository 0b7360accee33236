// covers: AUTH-12
import { withLastAdmin } from './people-columns';
import type { PersonView } from './people';

const person = (id: string, role: PersonView['role'], more: object = {}): PersonView => ({
  id,
  workspace: 'w',
  role,
  joinedAt: '2026-11-20T12:00:00.000Z',
  secondFactors: [],
  recoveryCodesLeft: 0,
  revision: 0,
  position: '1',
  ...more,
});
const lastOf = (...people: PersonView[]): string[] =>
  withLastAdmin(people).flatMap(({ id, lastAdmin }) => (lastAdmin ? [id] : []));
const removed = { removedAt: '2026-11-21T12:00:00.000Z' };

test('an administrator is the last one when every other was removed or is a member', () => {
  const [ada, bob] = [person('ada', 'admin'), person('bob', 'admin', removed)];
  expect(lastOf(ada, bob, person('mia', 'member'))).toEqual(['ada']);
  expect(lastOf(ada, person('root', 'superadmin'))).toEqual([]);
  expect(lastOf(person('mia', 'member'), bob)).toEqual([]);
});
