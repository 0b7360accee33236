/** Converts request bodies from the specification's form to the contract's. Other bodies stay unchanged. Pure. */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{ data, filters: { id } }` as `{ data, id }`. */
export const unfiltered = (body: unknown): unknown => {
  if (!isRecord(body) || !isRecord(body['filters'])) return body;
  const { filters, ...others } = body;
  return { ...others, ...(filters as object) };
};

/** `{ name, product: { id } }` and `{ data: { name, product: { id } } }` as `{ data: { name }, product: { id } }`. */
export const gathered =
  (within: string | undefined) =>
  (body: unknown): unknown => {
    if (within === undefined || !isRecord(body)) return body;
    if (!('data' in body)) {
      const { [within]: parent, ...data } = body;
      return Object.keys(data).length === 0 ? body : { data, [within]: parent };
    }
    const { data: all, ...others } = body;
    if (within in others || !isRecord(all) || !(within in all)) return body;
    const { [within]: parent, ...data } = all;
    return { ...others, data, [within]: parent };
  };

/** The parent under another name, in `data` or beside it. */
export const renamed =
  (from: string | undefined, to: string | undefined) =>
  (body: unknown): unknown => {
    if (from === undefined || to === undefined || !isRecord(body)) return body;
    const inside = ({ [from]: parent, ...others }: Record<string, unknown>) => ({
      ...others,
      ...(parent !== undefined && { [to]: asId(parent) }),
    });
    const { data, ...beside } = inside(body);
    return isRecord(data) ? { ...beside, data: inside(data) } : inside(body);
  };

/** `{ uuid }` as `{ id }`. */
export const identified = (body: unknown): unknown => {
  if (!isRecord(body) || !('uuid' in body) || 'id' in body) return body;
  const { uuid, ...others } = body;
  return { ...others, id: uuid };
};

/** `{ uuid }` and nothing else as `{ id }`. */
const asId = (sent: unknown): unknown =>
  isRecord(sent) && Object.keys(sent).length === 1 ? identified(sent) : sent;

/** The parent of a list as `{ id }`, as the specification lists what belongs to a request. */
export const withParent =
  (within: string | undefined) =>
  (body: unknown): unknown =>
    within === undefined || !isRecord(body) || !('id' in body) || within in body
      ? body
      : (({ id, ...others }) => ({ ...others, [within]: { id } }))(body);

/** The server of the deploy log as `server`, like in the other lists, or as `filters: { server }`. */
export const filtered = (body: unknown): unknown => {
  if (!isRecord(body) || !('server' in body) || 'filters' in body) return body;
  const { server, ...others } = body;
  return { ...others, filters: { server } };
};

/** A blank option of a select means none: the field counts as omitted. */
export const withoutBlanks =
  (fields: Readonly<Record<string, { numbered?: true }>>) =>
  (body: unknown): unknown => {
    if (!isRecord(body) || !isRecord(body['data'])) return body;
    const isBlank = ([key, value]: [string, unknown]): boolean =>
      fields[key]?.numbered === true && (value === null || value === '');
    const given = Object.entries(body['data']);
    return given.some(isBlank)
      ? { ...body, data: Object.fromEntries(given.filter((one) => !isBlank(one))) }
      : body;
  };

/** References as `{ uuid, key }`, as the specification has them: with the id under its own name. */
export const unkeyed =
  (fields: Readonly<Record<string, { keyed?: true }>>) =>
  (body: unknown): unknown => {
    if (!isRecord(body) || !isRecord(body['data'])) return body;
    const withId = ([key, value]: [string, unknown]): [string, unknown] =>
      fields[key]?.keyed && isRecord(value) && 'uuid' in value
        ? [key, { id: value['uuid'], ...value }]
        : [key, value];
    return { ...body, data: Object.fromEntries(Object.entries(body['data']).map(withId)) };
  };

/** The service of a variable as `service`, like in the other calls, or as `serviceDeploy`. */
export const ofService = (body: unknown): unknown => {
  if (!isRecord(body) || !('service' in body) || 'serviceDeploy' in body) return body;
  const { service, ...others } = body;
  return { ...others, serviceDeploy: service };
};

/** A service that says its product, as `{ id, product }`: the product as that of the call, unless that is another one. */
export const withProduct = (body: unknown): unknown => {
  if (!isRecord(body) || !isRecord(body['serviceDeploy'])) return body;
  const { product: own, ...serviceDeploy } = body['serviceDeploy'];
  const id = isRecord(own) ? own['id'] : own;
  const { product = { id } } = body;
  const isSame = isRecord(product) && product['id'] === id;
  return typeof id === 'string' && isSame ? { ...body, product, serviceDeploy } : body;
};

/** The service of a list as `service`, or as `serviceDeploy`, as a new variable has it. */
export const asService = (body: unknown): unknown => {
  if (!isRecord(body) || !('serviceDeploy' in body) || 'service' in body) return body;
  const { serviceDeploy: service, ...others } = body;
  return { ...others, service };
};

/** `{ data, product }` as `{ data: { …, product } }`, the same for `isCms`. */
export const withProductWithin = (body: unknown): unknown => {
  if (!isRecord(body) || !isRecord(body['data'])) return body;
  const { product, isCms, data, ...others } = body;
  const outside = { ...(product !== undefined && { product }), ...(isCms !== undefined && { isCms }) };
  return { ...others, data: { ...outside, ...data } };
};

/** A thing that is named by its id alone, or as `{ id }`, as `{ uuid }`. */
export const byReference =
  (key: string) =>
  (body: unknown): unknown => {
    if (!isRecord(body)) return body;
    const sent = body[key];
    if (typeof sent === 'string') return { ...body, [key]: { uuid: sent } };
    return isRecord(sent) && 'id' in sent && !('uuid' in sent)
      ? { ...body, [key]: { uuid: sent['id'] } }
      : body;
  };

/** A record under the name `uuid`, with its parent beside it, which says nothing that the record does not. */
export const ownOnly =
  (parentAs: string | undefined) =>
  (body: unknown): unknown => {
    if (parentAs === undefined || !isRecord(body)) return body;
    const { [parentAs]: _parent, ...own } = body;
    return identified(own);
  };
