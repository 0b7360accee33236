/** The members of the workspace. */
import { byId, nothing, personName, personPage, personRole } from '@quarterdeck/events/inputs';
import { listPageOf, personView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const people = calls('person', {
  list: {
    summary: 'Current and former people of the workspace',
    access: 'admin',
    input: nothing,
    answer: z.array(personView),
    shows: 'people',
    asOf: true,
  },
  page: {
    summary: 'One page of the people of the workspace: members, former members, or both',
    access: 'admin',
    input: personPage,
    answer: listPageOf(personView),
    shows: 'people',
    asOf: true,
  },
  detail: {
    summary: 'One current or former person of the workspace',
    access: 'admin',
    input: byId,
    answer: personView,
    shows: 'people',
    asOf: true,
  },
  role: {
    summary: 'Changes the role between member and administrator',
    access: 'admin',
    input: personRole,
    answer: ids,
    stales: 'people',
  },
  remove: {
    summary: 'Removes a member: their sessions end, their work stays',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'people',
  },
  forget: {
    summary: 'Erases name, e-mail and accounts of a former member from every record',
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
  resetSecondFactor: {
    summary: 'Removes the lost second factors of a member, and ends their sessions',
    access: 'admin',
    path: 'reset-second-factor',
    input: byId,
    answer: ids,
    stales: 'people',
  },
  rename: {
    summary: 'Changes your own name',
    access: 'member',
    input: personName,
    answer: ids,
    stales: 'people',
  },
});
