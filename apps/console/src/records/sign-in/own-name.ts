/** A person's own name, in the invitation and profile forms. */
import { personName } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import type { InputField } from '../../ui/form/fields';

/** Surrounding spaces are typing mistakes. */
export const ownName = z
  .unknown()
  .transform((typed) => ({ name: (typed as { name?: string }).name?.trim() }))
  .pipe(personName);

export const nameField: InputField = { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' };
