/** What is wrong with an endpoint, in the words of the language. Pure. */
import { problemsOf, type ApiModel } from '@quarterdeck/api';
import { endpoint } from '@quarterdeck/events';
import type { Values } from '../platform/kit';

export interface EndpointProblem {
  /** `blocks.0.filters.id` */
  field: string;
  says: string;
}

const KEYS = Object.keys(endpoint.fields);

export const endpointProblems = (fields: Values, model: ApiModel): EndpointProblem[] =>
  problemsOf(Object.fromEntries(KEYS.map((key) => [key, fields[key]])), model).map(({ path, message }) => ({
    field: path.join('.'),
    says: message,
  }));
