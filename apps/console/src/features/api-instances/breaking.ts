/** What a change of an endpoint breaks for those who call it. Pure. */
import { changesBetween, endpointShape, problemsOf, type ApiModel } from '@quarterdeck/api';
import { endpoint } from '@quarterdeck/events';

const KEYS = Object.keys(endpoint.fields);

const definitionOf = (given: object, model: ApiModel) => {
  const fields = given as Readonly<Record<string, unknown>>;
  const written = Object.fromEntries(KEYS.map((key) => [key, fields[key]]));
  return problemsOf(written, model).length > 0
    ? undefined
    : { endpoints: [endpointShape.parse(written)], model };
};

/** @returns one sentence for each; none if one of the two cannot be served as it is */
export const breaksIn = (before: object, after: object, model: ApiModel): readonly string[] => {
  const [was, is] = [definitionOf(before, model), definitionOf(after, model)];
  if (!was || !is) return [];
  return changesBetween(was, is)
    .filter(({ isBreaking }) => isBreaking)
    .map((change) => `${change.endpoint}: ${change.message}`);
};
