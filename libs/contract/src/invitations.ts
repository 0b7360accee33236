/** Invitations: admins issue them, and anybody with a code can read its invitation. */
import { byId, invitationCode, invitationInsert, nothing } from '@quarterdeck/events/inputs';
import { invitationView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

/** The offer that an invited person sees. */
const offer = z.strictObject({
  instance: z.strictObject({ uuid: z.string(), name: z.string() }),
  role: invitationView.shape.role,
  expiresAt: z.string(),
});

export const invitations = calls('invitation', 'admin', {
  list: {
    summary: 'The invitations that are open',
    input: nothing,
    answer: z.array(invitationView),
    shows: 'people',
    asOf: true,
  },
  insert: {
    summary: 'Invites a GitHub login, an e-mail address, or anybody with the link',
    input: invitationInsert,
    example: { role: 'member', via: 'email', email: 'grace@example.org' },
    answer: ids.extend({ code: z.string().optional() }),
    stales: 'people',
    receipt: false,
  },
  withdraw: {
    summary: 'Withdraws an invitation: nobody can accept it any more',
    input: byId,
    example: { id: demo.invitation },
    answer: ids,
    stales: 'people',
  },
  look: {
    summary: 'The workspace and role that an invitation link offers',
    access: 'public',
    input: invitationCode,
    example: { code: 'code of the invitation' },
    answer: offer,
    shows: [],
  },
});
