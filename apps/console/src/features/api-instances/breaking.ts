/** What those who call an endpoint notice of a change. Pure. */
import { changesBetween, endpointShape, problemsOf, type ApiChange, type ApiModel } from '@quarterdeck/api';
import { endpoint } from '@quarterdeck/events';

const KEYS = Object.keys(endpoint.fields);

const definitionOf = (given: object, model: ApiModel) => {
  const fields = given as Readonly<Record<string, unknown>>;
  const written = Object.fromEntries(KEYS.map((key) => [key, fields[key]]));
  return problemsOf(written, model).length > 0
    ? undefined
    : { endpoints: [endpointShape.parse(written)], model };
};

/** Breaking ones first. @returns none if one of the two cannot be served as it is */
export const noticedOf = (before: object, after: object, model: ApiModel): readonly ApiChange[] => {
  const [was, is] = [definitionOf(before, model), definitionOf(after, model)];
  if (!was || !is) return [];
  return changesBetween(was, is).toSorted((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
};
