/** People of a workspace who use it through two processes, and their administrators' view of them. */
import type { Role } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import type { RunningBackend } from '../../testing/backend';
import { operator, type Operator } from '../../testing/operator';

interface Person {
  id: string;
  role: string;
  name?: string;
  email?: string;
  removedAt?: string;
  forgottenAt?: string;
  sessions: number;
}

/** A new workspace with people of those roles. */
export const teamOf = async (here: RunningBackend, second: { url: string }, ...roles: Role[]) => {
  const workspace = `team-${uuidv7()}`;
  return Promise.all(
    roles.map(async (role, index) => {
      const email = `${role}-${index}@${workspace}.example.org`;
      const who = await here.signIn({ workspace, role, email });
      const { body } = await who.get<{ profile: { id: string } }>('session');
      return { ...who, id: body.profile.id, email, there: operator(second.url, who.cookie) };
    }),
  );
};

export const listed = async (who: Operator): Promise<Person[]> =>
  (await who.post<Person[]>('person/list')).body;
export const personOf = async (who: Operator, id: string) =>
  (await listed(who)).find((person) => person.id === id);
