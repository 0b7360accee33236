/** The members of the workspace. */
import { byId, nothing, personName, personRole } from '@quarterdeck/events/inputs';
import { personView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const people = calls('person', {
  list: {
    summary: 'The people of the workspace, and those who were',
    access: 'admin',
    input: nothing,
    answer: z.array(personView),
    shows: 'people',
    asOf: true,
  },
  role: {
    summary: 'Makes a member an administrator, or an administrator a member',
    access: 'admin',
    input: personRole,
    answer: ids,
    stales: 'people',
  },
  remove: {
    summary: 'Removes a member: his sessions end, what he made stays',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'people',
  },
  forget: {
    summary: 'Takes name, e-mail and accounts of a former member out of every record',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'people',
  },
  signOut: {
    summary: 'Ends every session of a member',
    access: 'admin',
    path: 'sign-out',
    input: byId,
    answer: ids,
    stales: 'people',
  },
  rename: {
    summary: 'How one is called oneself',
    access: 'member',
    input: personName,
    answer: ids,
    stales: 'people',
  },
});
