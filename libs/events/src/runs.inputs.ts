import { integer, object, oneOf, text, uuid } from './rules';
import { position } from './history.inputs';

export const runStates = ['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled'] as const;

export const runList = object({
  subject: object({ kind: text(50), id: uuid }).optional(),
  state: oneOf(runStates).optional(),
  kind: text(50).optional(),
  requestedBy: text(50).optional(),
  /** Parts of one run. Without it, parts are told only where the runs on one subject are asked for. */
  parent: uuid.optional(),
  /** Runs of one saved script. */
  script: uuid.optional(),
  before: position.optional(),
  limit: integer(200).optional(),
});
/** Chunks after `after`, a sequence number that counts from 1. */
export const runOutput = object({ id: uuid, after: integer().optional() });
