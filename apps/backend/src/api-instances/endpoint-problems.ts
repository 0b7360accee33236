/** What is wrong with an endpoint, in the words of the language. Pure. */
import { endpointShape, type ApiModel } from '@quarterdeck/api';
import { endpoint } from '@quarterdeck/events';
import type { Values } from '../platform/kit';

export interface Problem {
  /** `blocks.0.filters.id` */
  field: string;
  says: string;
}

const KEYS = Object.keys(endpoint.fields);

export const endpointProblems = (fields: Values, _model: ApiModel): Problem[] => {
  const written = Object.fromEntries(KEYS.map((key) => [key, fields[key]]));
  return (endpointShape.safeParse(written).error?.issues ?? []).map(({ path, message }) => ({
    field: path.join('.'),
    says: message,
  }));
};
