/** Input schemas of the calls about services, in addition to those of the kit. */
import { fieldsInput } from './kit/schemas';
import { boolean, messages, object, uuid } from './rules';
import { service } from './services.noun';

const withoutNames = (data: Readonly<Record<string, unknown>>) =>
  ['nameFront', 'repoFront']
    .filter((field) => !data[field])
    .map((field) => ({ path: [field], message: messages.required }));

/** Fields of a service whose client part is made too, and therefore needs names. Also the schema of its form. */
export const serviceWithClient = fieldsInput(service).superRefine((data, context) => {
  for (const problem of withoutNames(data)) context.addIssue({ code: 'custom', ...problem });
});

/** `fromTemplate`: the parts whose repositories are created. The others exist already. Default: both are created. */
export const serviceCreate = object({
  data: fieldsInput(service),
  product: object({ id: uuid }),
  fromTemplate: object({ server: boolean, client: boolean }).optional(),
  runId: uuid.optional(),
}).superRefine(({ data, fromTemplate }, context) => {
  if (!(fromTemplate?.client ?? true)) return;
  for (const { path, message } of withoutNames(data))
    context.addIssue({ code: 'custom', path: ['data', ...path], message });
});
export const deployServiceAdd = object({ uuid });
export const serviceCleanUp = object({ id: uuid, runId: uuid.optional() });
