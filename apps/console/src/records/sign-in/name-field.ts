/** A person's own name, in the invitation and profile forms. */
import type { InputField } from '../../ui/form/fields';

export const nameField: InputField = { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' };
