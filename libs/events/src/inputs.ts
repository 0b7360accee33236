/** Every input schema, for calls and forms. */
import { object, uuid } from './rules';

export * from './rules';
export * from './servers.inputs';
export * from './fleet.inputs';
export * from './runs.inputs';
export * from './scripts.inputs';
export * from './history.inputs';
export * from './health.inputs';
export * from './sessions.inputs';

export const byId = object({ id: uuid });
export const nothing = object({});
