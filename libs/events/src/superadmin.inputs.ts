import { position } from './history.inputs';
import { object, oneOf, text, uuid } from './rules';

/** The name of a read model, or `all`. */
const readModel = text(100);

export const maintenanceStart = object({ readModel });
export const maintenanceCancel = object({ maintenance: uuid });
export const parkedRetry = object({ readModel, stream: text(200) });
export const foreignAcknowledgement = object({ upTo: position, reason: text(500) });
export const superadminRuns = object({
  state: oneOf(['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled']).optional(),
  search: text(200).optional(),
  before: position.optional(),
});
