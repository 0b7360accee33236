/** What the calls about a workspace's settings accept; the forms of the console use the same schemas. */
import { integer, numericId, object, uuid } from './rules';

const revision = integer().optional();

/** `server`: the one that the container flow begins with; none: it is asked for. */
const containerFlow = { server: object({ id: uuid }).optional() };
export const workspaceContainerFlow = object({ ...containerFlow, revision });

/** `runOutputDays`: after the end of a run, up to ten years; none: its output stays. */
const retention = { runOutputDays: numericId(3650).optional() };

/** The form's part of `workspaceRetention`. */
export const retentionSettings = object(retention);
export const workspaceRetention = object({ ...retention, revision });
