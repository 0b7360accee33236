/** Input schemas of the calls about a workspace's settings. The console's forms use the same schemas. */
import { boolean, integer, numericId, object, uuid } from './rules';

const revision = integer().optional();

/** Preselected at the start of the container flow. Absent: the operator chooses each time. */
const containerFlow = {
  server: object({ id: uuid }).optional(),
  product: object({ id: uuid }).optional(),
};
export const workspaceContainerFlow = object({ ...containerFlow, revision });

/** `product`: the workspace belongs to its users, and only superadmins sign in to the console. */
export const workspaceAudience = object({ product: object({ id: uuid }).optional(), revision });

/**
 * `runOutputDays`: days after the end of a run, up to ten years. Absent: its output is kept. `emailDays`: days after an
 * e-mail came in. Absent: 90.
 */
const retention = { runOutputDays: numericId(3650).optional(), emailDays: numericId(3650).optional() };

/** Form schema of `workspaceRetention`. */
export const retentionSettings = object(retention);
export const workspaceRetention = object({ ...retention, revision });

const secondFactor = { demanded: boolean };
/** Form schema of `workspaceSecondFactor`. */
export const secondFactorSettings = object(secondFactor);
export const workspaceSecondFactor = object({ ...secondFactor, revision });
