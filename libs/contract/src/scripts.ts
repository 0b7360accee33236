/** For admins only, including reads: a script may reveal facts about servers that members need not know. */
import {
  byId,
  listPage,
  nothing,
  scriptDelete,
  scriptInsert,
  scriptUpdate,
} from '@quarterdeck/events/inputs';
import { listPageOf, scriptRow, scriptView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const scripts = calls('script', {
  list: {
    summary: 'The scripts of the workspace, each with its newest version',
    access: 'admin',
    input: nothing,
    answer: z.array(scriptView),
    shows: 'scripts',
    asOf: true,
  },
  page: {
    summary: 'One page of the scripts, each with its newest version without the text',
    access: 'admin',
    input: listPage,
    answer: listPageOf(scriptRow),
    shows: 'scripts',
    asOf: true,
  },
  detail: {
    summary: 'One script with all its versions',
    access: 'admin',
    input: byId,
    answer: scriptView,
    shows: 'scripts',
    asOf: true,
  },
  insert: {
    summary: 'Saves a script as its first version',
    access: 'admin',
    input: scriptInsert,
    answer: ids,
    stales: 'scripts',
  },
  update: {
    summary: 'Renames a script, or revises it, which adds a version',
    access: 'admin',
    input: scriptUpdate,
    answer: ids,
    stales: 'scripts',
  },
  delete: {
    summary: 'Removes a script; `name` is what was typed to confirm',
    access: 'admin',
    input: scriptDelete,
    answer: ids,
    stales: 'scripts',
  },
});
