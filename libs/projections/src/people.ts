/** The members of a workspace with their roles, and its invitations. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { factorKinds } from '@quarterdeck/events';
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
    /** Their names are the person's own and are in no event. */
    secondFactors: z.array(
      z.strictObject({ id: z.string(), kind: z.enum(factorKinds), addedAt: z.string() }),
    ),
    recoveryCodesLeft: z.number(),
    /** When somebody else removed all second factors, until the person adds one. */
    secondFactorResetAt: z.string().optional(),
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

/** What members learn of each other. Without a name: the person was forgotten. */
export const namedPerson = personView.pick({ id: true, name: true }).meta({ id: 'NamedPerson' });
export interface NamedPerson extends z.infer<typeof namedPerson> {}

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

const noFactors = { secondFactors: [], recoveryCodesLeft: 0 };

export const people = defineProjection<PersonView>({
  name: 'people',
  version: 3,
  columns: { role: 'text', removedAt: 'timestamptz' },
  indexes: ['(workspace)'],
  ...rowPerStream('person'),
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    if (event.type === 'PersonJoined')
      return { id: key, workspace, role: event.data.role, joinedAt: at, ...noFactors, ...place };
    if (!view) return undefined;
    const now = { ...view, ...place };
    switch (event.type) {
      case 'PersonRoleChanged':
        return { ...now, role: event.data.role };
      case 'PersonSignedIn':
        return { ...now, lastSignInAt: at };
      case 'PersonRemoved':
        return { ...now, removedAt: at, ...noFactors };
      case 'PersonForgotten':
        return { ...now, forgottenAt: at };
      case 'SecondFactorAdded': {
        const { factor, kind } = event.data;
        const { secondFactorResetAt: _over, ...rest } = now;
        return { ...rest, secondFactors: [...now.secondFactors, { id: factor, kind, addedAt: at }] };
      }
      case 'SecondFactorRemoved': {
        const secondFactors = now.secondFactors.filter(({ id }) => id !== event.data.factor);
        return secondFactors.length === 0 ? { ...now, ...noFactors } : { ...now, secondFactors };
      }
      case 'SecondFactorCleared':
        return { ...now, ...noFactors, secondFactorResetAt: at };
      case 'RecoveryCodesGenerated':
        return { ...now, recoveryCodesLeft: event.data.count };
      case 'RecoveryCodeUsed':
        return { ...now, recoveryCodesLeft: event.data.left };
      default:
        return now;
    }
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
