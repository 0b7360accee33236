/** Endpoints as the language sees them, and what is wrong with them in its words. Pure. */
import { problemsOf, type ApiModel, type Endpoint } from '@quarterdeck/api';
import { endpoint } from '@quarterdeck/events';
import type { Values } from '../platform/kit';

export interface EndpointProblem {
  /** `blocks.0.filters.id` */
  field: string;
  says: string;
}

const KEYS = Object.keys(endpoint.fields);

/** An endpoint without what the console knows about it. It was judged when it was saved. */
export const endpointOf = (view: object): Endpoint => {
  const fields = view as Values;
  return Object.fromEntries(
    KEYS.flatMap((key) => (fields[key] === undefined || fields[key] === null ? [] : [[key, fields[key]]])),
  ) as unknown as Endpoint;
};

export const endpointProblems = (fields: Values, model: ApiModel): EndpointProblem[] =>
  problemsOf(Object.fromEntries(KEYS.map((key) => [key, fields[key]])), model).map(({ path, message }) => ({
    field: path.join('.'),
    says: message,
  }));
