/** The members of the workspace. */
import { byId, nothing, personName, personPage, personRole } from '@quarterdeck/events/inputs';
import { listPageOf, namedPerson, personView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, page } from './demo';

export const people = calls('person', 'admin', {
  list: {
    summary: 'Current and former people of the workspace',
    input: nothing,
    answer: z.array(personView),
    shows: 'people',
    asOf: true,
  },
  names: {
    summary: 'The names of the people of the workspace, without those who have given none',
    access: 'member',
    input: nothing,
    answer: z.array(namedPerson),
    shows: 'people',
    asOf: true,
  },
  page: {
    summary: 'One page of the people of the workspace: members, former members, or both',
    input: personPage,
    example: { former: false, ...page },
    answer: listPageOf(personView),
    shows: 'people',
    asOf: true,
  },
  detail: {
    summary: 'One current or former person of the workspace',
    input: byId,
    example: { id: demo.person },
    answer: personView,
    shows: 'people',
    asOf: true,
  },
  role: {
    summary: 'Changes the role between member and administrator',
    input: personRole,
    example: { id: demo.person, role: 'member' },
    answer: ids,
    stales: 'people',
  },
  remove: {
    summary: 'Removes a member: their sessions end, their work stays',
    input: byId,
    example: { id: demo.person },
    answer: ids,
    stales: 'people',
  },
  forget: {
    summary: 'Erases name, e-mail and accounts of a former member from every record',
    input: byId,
    example: { id: demo.person },
    answer: ids,
    stales: 'people',
  },
  signOut: {
    summary: 'Ends every session of a member',
    path: 'sign-out',
    input: byId,
    example: { id: demo.person },
    answer: ids,
    stales: 'people',
  },
  resetSecondFactor: {
    summary: 'Removes the lost second factors of a member, and ends their sessions',
    path: 'reset-second-factor',
    input: byId,
    example: { id: demo.person },
    answer: ids,
    stales: 'people',
  },
  rename: {
    summary: 'Changes your own name',
    access: 'member',
    input: personName,
    example: { name: 'Ada Marsh' },
    answer: ids,
    stales: 'people',
  },
});
