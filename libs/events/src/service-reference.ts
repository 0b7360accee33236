/**
 * A service in calls: `{ id }`, or as the specification nests it, `{ uuid }`, `{ deploy: { id } }` or
 * `{ serviceDeploy: { id } }`, or its id alone.
 */
import { z } from 'zod';
import { messages, object, uuid } from './rules';

const one = object({ id: uuid });
const forms = [one, object({ uuid }), object({ deploy: one }), object({ serviceDeploy: one }), uuid] as const;

/** Of what is no form at all: what is wrong inside a form is named by its own path. */
const problemOf = (given: unknown): string => {
  if (given === undefined || given === null || given === '') return messages.required;
  return typeof given === 'string' ? messages.uuidInvalid : 'a service is expected: { id }';
};

export const serviceReference = z
  .union(forms, { error: ({ input }) => problemOf(input) })
  .transform((given): { id: string } => {
    if (typeof given === 'string') return { id: given };
    if ('deploy' in given) return given.deploy;
    if ('serviceDeploy' in given) return given.serviceDeploy;
    return 'uuid' in given ? { id: given.uuid } : given;
  });
