/** Input schemas of the calls about services, in addition to those of the kit. */
import { fieldsInput } from './kit/schemas';
import { boolean, object, uuid } from './rules';
import { service } from './services.noun';

/** `fromTemplate`: the parts whose repositories are created. The others exist already. Default: both are created. */
export const serviceCreate = object({
  data: fieldsInput(service),
  product: object({ id: uuid }),
  fromTemplate: object({ server: boolean, client: boolean }).optional(),
  runId: uuid.optional(),
});
export const deployServiceAdd = object({ uuid });
export const serviceCleanUp = object({ id: uuid, runId: uuid.optional() });
