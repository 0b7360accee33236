/** Input schemas of the calls about versions. */
import {
  anyText,
  array,
  boolean,
  exactText,
  integer,
  numericId,
  object,
  oneOf,
  optionalText,
  text,
  uuid,
} from './rules';

const one = object({ id: uuid });

export const byUuid = object({ uuid });
/** The environment: 1 dev, 2 test, 3 prod. */
export const versionUpdate = object({ uuid, data: object({ env: object({ id: numericId(3) }) }) });
/** Compares two versions of a product's model. 0: the empty model. Without `to`: the current model. */
export const versionDifference = object({
  product: one,
  from: integer(),
  to: integer().optional(),
});
/** What existing rows get in new required columns: `where` is `table.column`, as in the finding that asks for it. */
const values = array(object({ where: text(200), value: anyText(10_000) })).optional();
/** Without `database`: the only database of the version's environment. */
export const versionPlan = object({ uuid, database: one.optional(), values });
/**
 * Adopts the database's structure into the model, as shown in the plan with this seal. `renames`: which of the renames in
 * its drift were made; absent: all.
 */
export const versionAdopt = object({
  uuid,
  database: one,
  seal: text(64),
  renames: array(object({ table: text(), from: text(), to: text() })).optional(),
});
/** Without `database`: the only database of the version's environment. `seal`: of the plan that the operator reviewed. */
export const versionBaseline = object({
  uuid,
  database: one.optional(),
  seal: text(64).optional(),
  runId: uuid.optional(),
});
/** Imports the tables of `database`, or else structure 1, the starter structure. */
const source = { product: one, structure: object({ id: numericId(1) }).optional(), database: one.optional() };
export const structurePreview = object(source);
/** `seal`: identifies the preview that the operator reviewed. */
export const structureImport = object({ ...source, seal: text(64).optional(), runId: uuid.optional() });
/** `run`: the import. */
export const structureImportRun = object({ run: uuid });
/** `email`: of the administrator. Without `database`: the only database of dev. */
export const instanceInit = object({
  product: one,
  password: exactText(1000),
  email: text(200).default('admin@localhost'),
  database: one.optional(),
  runId: uuid.optional(),
});
/**
 * `repair`: start from the database's actual structure, whatever it is. `seal`: identifies the plan that the operator
 * reviewed. `name`: name of the product, typed to confirm destructive changes.
 */
export const versionApply = object({
  uuid,
  database: one.optional(),
  seal: text(64).optional(),
  repair: boolean.optional(),
  name: optionalText(),
  values,
  runId: uuid.optional(),
});
/** Without `dialect`: MySQL. */
export const versionSql = object({ uuid, dialect: oneOf(['mysql', 'postgresql']).optional() });
export const migrationList = object({ product: one, version: object({ uuid }) });
