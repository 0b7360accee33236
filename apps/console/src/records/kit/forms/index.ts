/** What only forms need. It is loaded with them: see `../parts`. */
export { CommandDialog } from './CommandDialog';
export { initialOf, nextOf, repeatedOf } from './form-fields';
export { RecordAdd, RecordEditForm } from './RecordForms';
export { useFormFields } from './use-form-fields';
