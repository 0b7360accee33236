/**
 * A service in calls: `{ id }`, or as the specification nests it, `{ uuid }` or `{ deploy: { id } }`, or its id alone.
 */
import { z } from 'zod';
import { messages, object, uuid } from './rules';

const one = object({ id: uuid });

export const serviceReference = z
  .union([one, object({ uuid }), object({ deploy: one }), uuid], {
    error: (issue) => (issue.input === undefined ? messages.required : messages.uuidInvalid),
  })
  .transform((given): { id: string } => {
    if (typeof given === 'string') return { id: given };
    if ('deploy' in given) return given.deploy;
    return 'uuid' in given ? { id: given.uuid } : given;
  });
