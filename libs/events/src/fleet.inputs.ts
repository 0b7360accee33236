/** Input schemas of the calls about runs over many servers. */
import { array, numericId, object, uuid } from './rules';

export const MAX_SERVERS = 500;
export const MAX_AT_ONCE = 25;
export const DEFAULT_AT_ONCE = 10;

const servers = array(uuid, MAX_SERVERS)
  .min(1, { error: 'choose at least one server' })
  .refine((ids) => new Set(ids).size === ids.length, { error: 'each server is named once' });

export const fleetStart = object({
  servers,
  /** One of the ten fixed commands. Absent for a saved script. */
  cmdType: numericId(10).optional(),
  script: uuid.optional(),
  /** Version of the script. Default: the newest. */
  version: numericId().optional(),
  /** How many servers the run works on at once. */
  concurrency: numericId(MAX_AT_ONCE).optional(),
  /** Chosen by the caller, so that they can watch the run from its first byte. The same id again joins the same run. */
  runId: uuid.optional(),
}).superRefine(({ cmdType, script, version }, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (cmdType === undefined && script === undefined) refuse('cmdType', 'choose a command or a script');
  if (cmdType !== undefined && script !== undefined) refuse('script', 'a command or a script, not both');
  if (version !== undefined && script === undefined) refuse('version', 'only a script has versions');
});

export const fleetRerun = object({ id: uuid, runId: uuid.optional() });
