/** Converts request bodies from the specification's form to the contract's. Other bodies stay unchanged. Pure. */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{ data, filters: { id } }` as `{ data, id }`. */
export const unfiltered = (body: unknown): unknown => {
  if (!isRecord(body) || !isRecord(body['filters'])) return body;
  const { filters, ...others } = body;
  return { ...others, ...(filters as object) };
};

/** `{ name, product: { id } }` as `{ data: { name }, product: { id } }`. */
export const gathered =
  (within: string | undefined) =>
  (body: unknown): unknown => {
    if (within === undefined || !isRecord(body) || 'data' in body) return body;
    const { [within]: parent, ...data } = body;
    return Object.keys(data).length === 0 ? body : { data, [within]: parent };
  };

/** The service of a variable as `service`, like in the other calls, or as `serviceDeploy`. */
export const ofService = (body: unknown): unknown => {
  if (!isRecord(body) || !('service' in body) || 'serviceDeploy' in body) return body;
  const { service, ...others } = body;
  return { ...others, serviceDeploy: service };
};
