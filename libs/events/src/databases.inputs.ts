import { database } from './databases.noun';
import { fieldsInput } from './kit/schemas';
import { boolean, object, optionalText, text, uuid } from './rules';

/** `runId`: chosen by the caller, so that they can watch the run from its first byte. */
export const databaseTest = object({ id: uuid, runId: uuid.optional() });
/** Tests unsaved fields. `id`: the database whose stored password is used if `data` has none. */
export const databaseTry = object({ data: fieldsInput(database, 'editForm'), id: uuid.optional() });
/** Credentials of the database server's administrator. They are never stored. */
export const databaseAdministrator = object({ username: text(80), password: optionalText(1000) });
/** Form schema of `databaseCreate`. */
export const databaseCreation = databaseAdministrator.extend({ keepUser: boolean });
export const databaseCreate = object({
  id: uuid,
  administrator: databaseAdministrator,
  /** An existing user with this password is kept, and gets access to the database. */
  keepUser: boolean.optional(),
  runId: uuid.optional(),
});
