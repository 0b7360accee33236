/** The members of a workspace with their roles, and its invitations. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const personView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    /** For a removed member, the last role. */
    role: catalogue.PersonJoined.schema.shape.role,
    joinedAt: z.string(),
    lastSignInAt: z.string().optional(),
    /** No longer a member. The name stays on their actions until the person is forgotten. */
    removedAt: z.string().optional(),
    forgottenAt: z.string().optional(),
    /** Personal data, joined from the person's record when read. It is in no event. */
    name: z.string().optional(),
    email: z.string().optional(),
    /** Number of open sessions, joined when read. */
    sessions: z.number().optional(),
    /** The person is the only administrator. Joined when read. */
    lastAdmin: z.literal(true).optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Person' });
export interface PersonView extends z.infer<typeof personView> {}

/** An open invitation: neither accepted nor withdrawn. It may have expired. */
export const invitationView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    role: catalogue.PersonJoined.schema.shape.role,
    via: catalogue.InvitationIssued.schema.shape.via,
    issuedAt: z.string(),
    /** Actor who issued it. */
    issuedBy: z.string(),
    expiresAt: z.string(),
    /** Login or e-mail, joined when read. It is in no event. */
    to: z.string().optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Invitation' });
export interface InvitationView extends z.infer<typeof invitationView> {}

export const people = defineProjection<PersonView>({
  name: 'people',
  version: 2,
  columns: { role: 'text', removedAt: 'timestamptz' },
  indexes: ['(workspace)'],
  ...rowPerStream('person'),
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
  ...rowPerStream('invitation'),
  evolve: (view, event, key) => {
    if (event.type !== 'InvitationIssued') return undefined;
    const { at, workspace, actor } = event.meta;
    const { revision, position } = event;
    return { id: key, workspace, ...event.data, issuedAt: at, issuedBy: actor, revision, position };
  },
});
