import { array, integer, object, oneOf, text, uuid } from './rules';
import { position } from './history.inputs';

export const runStates = ['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled'] as const;

export const runList = object({
  subject: object({ kind: text(50), id: uuid }).optional(),
  state: oneOf(runStates).optional(),
  kind: text(50).optional(),
  requestedBy: text(50).optional(),
  /** Parts of one run. Without it, parts are listed only if the runs of one subject are requested. */
  parent: uuid.optional(),
  /** Runs of one saved script. */
  script: uuid.optional(),
  /** Only these runs, parts included. */
  ids: array(uuid, 200).optional(),
  /** Words that all occur in the label, the names, the state or the reason. */
  search: text(200).optional(),
  before: position.optional(),
  limit: integer(200).optional(),
});
/** Chunks with a sequence number above `after`. Sequence numbers count from 1. */
export const runOutput = object({ id: uuid, after: integer().optional() });
