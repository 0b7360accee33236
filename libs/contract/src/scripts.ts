/** For admins only, including reads: a script may reveal facts about servers that members need not know. */
import { script } from '@quarterdeck/events';
import { scriptRow, scriptView } from '@quarterdeck/projections';
import { ownCalls } from './kit';

export const scripts = ownCalls(script, {
  view: scriptView,
  row: scriptRow,
  summaries: {
    list: 'The scripts of the workspace, each with its newest version',
    page: 'One page of the scripts, each with its newest version without the text',
    detail: 'One script with all its versions',
    insert: 'Saves a script as its first version',
    update: 'Renames a script, or revises it, which adds a version',
    delete: 'Removes a script; `name` is what was typed to confirm',
  },
});
