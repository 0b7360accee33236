/** Who belongs to a workspace, and as what. */
import { streamParts, type Position, type Role } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface PersonView {
  id: string;
  workspace: string;
  role: Role;
  joinedAt: string;
  lastSignInAt?: string;
  /** Personal data, joined from the person's record when read: it is in no event. */
  name?: string;
  email?: string;
  revision: number;
  position: Position;
}

export const people = defineProjection<PersonView>({
  name: 'people',
  version: 1,
  columns: { role: 'text' },
  indexes: ['(workspace)'],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'person' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    if (event.type === 'PersonJoined')
      return { id: key, workspace, role: event.data.role, joinedAt: at, ...place };
    if (!view) return undefined;
    if (event.type === 'PersonRoleChanged') return { ...view, role: event.data.role, ...place };
    if (event.type === 'PersonSignedIn') return { ...view, lastSignInAt: at, ...place };
    return { ...view, ...place };
  },
});
