/** Input schemas of the calls about deploys of services. */
import { listPageWithin } from './lists.inputs';
import { array, boolean, numericId, object, optionalText, text, uuid } from './rules';
import { refusedHealthPath } from './services.noun';
import { MAX_VARIABLES } from './variables.inputs';

/**
 * `id`: the service. Without `env`: the environment of its newest deploy. Other omitted fields come from the service.
 */
export const deployStart = object({
  id: uuid,
  packageId: uuid,
  env: numericId(3).optional(),
  healthPath: text(500)
    .superRefine((value, { addIssue }) => {
      const message = refusedHealthPath(value);
      if (message !== undefined) addIssue({ code: 'custom', message });
    })
    .optional(),
  healthSeconds: numericId(3600).optional(),
  keep: numericId(50).optional(),
  why: optionalText(500).optional(),
  runId: uuid.optional(),
});
const deploysOf = {
  service: object({ id: uuid }).optional(),
  product: object({ id: uuid }).optional(),
  server: object({ id: uuid }).optional(),
};
/** `limit`: only the newest ones. */
export const deployList = object({ ...deploysOf, limit: numericId(500).optional() });
export const deployRunning = object(deploysOf);
export const deployPage = listPageWithin({
  service: object({ id: uuid }).optional(),
  server: object({ id: uuid }).optional(),
});
/** `forget`: the server no longer exists. The release only counts as stopped; the server is not contacted. */
export const deployStop = object({ id: uuid, forget: boolean.optional(), runId: uuid.optional() });
export const deployCompare = object({ from: uuid, to: uuid });
/**
 * Variables whose kept values were destroyed: those in `without` are left out, and with `today` the others get the
 * values that they have now. Refused if one is in neither.
 */
export const deployRollback = object({
  id: uuid,
  today: boolean.optional(),
  without: array(text(200), MAX_VARIABLES).optional(),
  why: optionalText(500).optional(),
  runId: uuid.optional(),
});
export const deployValues = object({ service: object({ id: uuid }) });
/** Destroys what the deploys of an environment keep of a variable, and the same value in the others. */
export const deployValueDestroy = object({
  service: object({ id: uuid }),
  env: numericId(3),
  key: text(200),
});
