import { database } from './databases.noun';
import { fieldsInput } from './kit/schemas';
import { boolean, object, optionalText, text, uuid } from './rules';

/** `runId`: chosen by the caller, so that they can watch the run from its first byte. */
export const databaseTest = object({ id: uuid, runId: uuid.optional() });
/** Fields that are not saved. `id`: of the database that has the password if `data` has none. */
export const databaseTry = object({ data: fieldsInput(database, 'editForm'), id: uuid.optional() });
/** The administrator of the database server. Neither is stored anywhere. */
export const databaseAdministrator = object({ username: text(80), password: optionalText(1000) });
/** What the form asks for. */
export const databaseCreation = databaseAdministrator.extend({ keepUser: boolean });
export const databaseCreate = object({
  id: uuid,
  administrator: databaseAdministrator,
  /** A user that exists already with this password is kept, and gets the database. */
  keepUser: boolean.optional(),
  runId: uuid.optional(),
});
