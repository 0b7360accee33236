/** Who belongs to a workspace, and as what; who is invited to it. */
import {
  streamParts,
  type InvitationWay,
  type LoggedEvent,
  type Position,
  type Role,
} from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface PersonView {
  id: string;
  workspace: string;
  /** The last one, of somebody who was removed. */
  role: Role;
  joinedAt: string;
  lastSignInAt?: string;
  /** No member any more: the name still signs what he did, until he is forgotten too. */
  removedAt?: string;
  forgottenAt?: string;
  /** Personal data, joined from the person's record when read: it is in no event. */
  name?: string;
  email?: string;
  /** How many are open, joined when read. */
  sessions?: number;
  revision: number;
  position: Position;
}

/** One that is open: neither accepted nor withdrawn. It may have expired. */
export interface InvitationView {
  id: string;
  workspace: string;
  role: Role;
  via: InvitationWay;
  issuedAt: string;
  /** Actor. */
  issuedBy: string;
  expiresAt: string;
  /** Login or e-mail, joined when read: it is in no event. */
  to?: string;
  revision: number;
  position: Position;
}

const keysIn =
  (wanted: string) =>
  (event: LoggedEvent): string[] => {
    const { category, id } = streamParts(event.stream);
    return category === wanted ? [id] : [];
  };

export const people = defineProjection<PersonView>({
  name: 'people',
  version: 2,
  columns: { role: 'text', removedAt: 'timestamptz' },
  indexes: ['(workspace)'],
  keys: keysIn('person'),
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    if (event.type === 'PersonJoined')
      return { id: key, workspace, role: event.data.role, joinedAt: at, ...place };
    if (!view) return undefined;
    if (event.type === 'PersonRoleChanged') return { ...view, role: event.data.role, ...place };
    if (event.type === 'PersonSignedIn') return { ...view, lastSignInAt: at, ...place };
    if (event.type === 'PersonRemoved') return { ...view, removedAt: at, ...place };
    if (event.type === 'PersonForgotten') return { ...view, forgottenAt: at, ...place };
    return { ...view, ...place };
  },
});

export const invitations = defineProjection<InvitationView>({
  name: 'invitations',
  version: 1,
  columns: {},
  indexes: ['(workspace)'],
  keys: keysIn('invitation'),
  evolve: (view, event, key) => {
    if (event.type !== 'InvitationIssued') return undefined;
    const { at, workspace, actor } = event.meta;
    const { revision, position } = event;
    return { id: key, workspace, ...event.data, issuedAt: at, issuedBy: actor, revision, position };
  },
});
