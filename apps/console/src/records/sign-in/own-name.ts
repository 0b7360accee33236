/** One's own name, as the invitation and the profile ask for it. */
import { personName } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import type { InputField } from '../../ui/form/fields';

/** Spaces around it are a slip of the hand. */
export const ownName = z
  .unknown()
  .transform((typed) => ({ name: (typed as { name?: string }).name?.trim() }))
  .pipe(personName);

export const nameField: InputField = { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' };
