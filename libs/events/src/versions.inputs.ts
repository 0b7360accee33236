/** Input schemas of the calls about versions. */
import { boolean, integer, numericId, object, oneOf, optionalText, text, uuid } from './rules';

const one = object({ id: uuid });

export const byUuid = object({ uuid });
/** The environment: 1 dev, 2 test, 3 prod. */
export const versionUpdate = object({ uuid, data: object({ env: object({ id: numericId(3) }) }) });
/** From one version of a product to another one. 0: the empty model. Without `to`: the model as it is now. */
export const versionDifference = object({
  product: one,
  from: integer(),
  to: integer().optional(),
});
/** Without a database: the only one of the version's environment. */
export const versionPlan = object({ uuid, database: one.optional() });
/** The model takes over what the database is, as the plan with this seal showed it. */
export const versionAdopt = object({ uuid, database: one, seal: text(64) });
/** The tables of a database; without one, structure 1, which is a starter. */
const source = { product: one, structure: object({ id: numericId(1) }).optional(), database: one.optional() };
export const structurePreview = object(source);
/** `seal`: of the preview that was shown. */
export const structureImport = object({ ...source, seal: text(64).optional() });
/** `email`: of the administrator. Without a database: the only one in dev. */
export const instanceInit = object({
  product: one,
  password: text(1000),
  email: text(200).default('admin@localhost'),
  database: one.optional(),
  runId: uuid.optional(),
});
/** `repair`: from what the database is, whatever that is. `seal`: of the plan that was shown. `name`: the product's, typed to confirm what is destructive. */
export const versionApply = object({
  uuid,
  database: one.optional(),
  seal: text(64).optional(),
  repair: boolean.optional(),
  name: optionalText(),
  runId: uuid.optional(),
});
/** Without a dialect: that of MySQL. */
export const versionSql = object({ uuid, dialect: oneOf(['mysql', 'postgresql']).optional() });
export const migrationList = object({ product: one, version: object({ uuid }) });
