/** Input schemas of the calls about environment variables. The console's forms use the same schemas. */
import { z } from 'zod';
import { anyText, array, boolean, integer, longText, messages, numericId, object, text, uuid } from './rules';
import { serviceReference } from './service-reference';
import { MAX_IMPORT_LINES, NAME_RULE, VARIABLE_NAME } from './variables-text';

export const MAX_VARIABLE = 32_000;
/** Maximum number of variables per environment. */
export const MAX_VARIABLES = 500;

const one = object({ id: uuid });

/** `1`, or `{ id: 1 }` as in the forms of the specification. */
const env = z
  .union([numericId(3), object({ id: numericId(3) })], {
    error: (issue) => (issue.input === undefined ? messages.required : messages.type('number')),
  })
  .transform((given) => (typeof given === 'number' ? given : given.id));

const service = serviceReference;

export const variableName = text(200).refine((name) => VARIABLE_NAME.test(name), { error: NAME_RULE });
const value = anyText(MAX_VARIABLE);

export const variableList = object({ product: one.optional(), service, env: env.optional() });
export const variableInsert = object({
  data: object({ key: variableName, value, env, secret: boolean.optional() }),
  product: one.optional(),
  serviceDeploy: serviceReference,
});
/** Without `value`, the current value is kept. `revision`: of the variable, as the editor saw it. */
export const variableUpdate = object({
  id: uuid,
  data: object({ key: variableName, value: value.optional(), env, secret: boolean.optional() }),
  revision: integer().optional(),
});

/** Form schemas. */
export const variableAdd = variableInsert.shape.data;
export const variableEdit = variableUpdate.shape.data;

const scope = { product: one.optional(), service, env };
/**
 * `removeOthers`: remove variables missing from the text. `secrets`: default for new ones by name and form. `leaveOut`:
 * lines of the text, or entries of the JSON array, that are not imported.
 */
const imported = {
  ...scope,
  content: longText(1_000_000),
  removeOthers: boolean.optional(),
  secrets: array(variableName, MAX_VARIABLES).optional(),
  leaveOut: array(numericId(), MAX_IMPORT_LINES).optional(),
};
export const variablePreview = object(imported);
export const variableImportForm = object({
  env,
  content: imported.content,
  removeOthers: imported.removeOthers,
});
/** `seen`: hash of the preview that the operator reviewed. */
export const variableImport = object({ ...imported, seen: text(64).optional() });
export const variableExport = object(scope);
export const variableOfService = object({ product: one.optional(), service });
