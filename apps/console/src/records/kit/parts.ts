/** Parts of the kit that are loaded when they are shown: a list does without the library of forms. */
import { overlayPart, part } from '../../ui/part';

export type { Commanded } from './forms/CommandDialog';
export type { Checking, Filling, RecordEditFormProps } from './forms/RecordForms';

const forms = () => import('./forms');

export const RecordAdd = part(() => forms().then((all) => ({ default: all.RecordAdd })), 'Loading the form');

export const RecordEditForm = part(
  () => forms().then((all) => ({ default: all.RecordEditForm })),
  'Loading the form',
);

export const CommandDialog = overlayPart(() => forms().then((all) => ({ default: all.CommandDialog })));

export const RecordSheet = part(
  () => import('./sheet/RecordSheet').then((all) => ({ default: all.RecordSheet })),
  'Loading the table',
);
