/** The OpenAPI 3.1 document of an API. */
import type { ApiModel } from './api-model';
import { parametersOf, type Endpoint } from './endpoint';
import { answerShape, bodySchema, parametersIn, type Schema } from './shapes';

export interface Described {
  readonly title: string;
  /** Such as the position of the definition. */
  readonly version: string;
  readonly description?: string | undefined;
  /** Addresses that serve it. */
  readonly servers?: readonly string[] | undefined;
  readonly endpoints: readonly Endpoint[];
}

const REFUSAL: Schema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    // What is wrong with fields of the request, by their places, such as `body.name`.
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['message'],
};

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'A field is missing or wrong; the answer names it',
  401: 'Nobody is signed in',
  403: 'The permission is missing',
  404: 'There is no such row',
  409: 'Another row is in the way, or one that it points to is missing',
  413: 'The request is too large',
  429: 'Too many requests; the header Retry-After says when to come back',
  503: 'The database is away',
};

const json = (schema: Schema) => ({ 'application/json': { schema } });

/** A name for code that calls it, unique in the API: `listOrders` is not derivable, so `get_orders_id`. */
export const operationOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')].join('_');

/** Names of operations, in the order of the endpoints; equal ones get a number. */
export function operationsOf(endpoints: readonly Endpoint[]): string[] {
  const taken = new Set<string>();
  return endpoints.map((endpoint) => {
    const name = operationOf(endpoint);
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}

/** @param model of endpoints that have no problems */
export function openApiOf(
  { title, version, description, servers = [], endpoints }: Described,
  model: ApiModel,
) {
  const operations = operationsOf(endpoints);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [at, endpoint] of endpoints.entries()) {
    const path = endpoint.path.replaceAll(/:([A-Za-z]\w*)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(
      endpoint,
      operations[at] as string,
      model,
    );
  }
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description !== undefined && { description }) },
    ...(servers.length > 0 && { servers: servers.map((url) => ({ url })) }),
    paths,
    components: {
      schemas: { Refusal: REFUSAL },
      securitySchemes: { user: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(endpoint: Endpoint, operationId: string, model: ApiModel) {
  const { permissions = [], tag, path, statusOut = 200 } = endpoint;
  const used = parametersIn(endpoint, model);
  const body = bodySchema(endpoint);
  const refusals = Object.entries(REFUSALS).filter(
    ([status]) => permissions.length > 0 || (status !== '401' && status !== '403'),
  );
  return {
    operationId,
    ...(tag !== undefined && tag !== '' && { tags: [tag] }),
    parameters: [
      ...parametersOf(path).map((name) => ({
        in: 'path',
        name,
        required: true,
        schema: used.get(`params.${name}`)?.schema ?? { type: 'string' },
      })),
      ...[...used]
        .filter(([key]) => key.startsWith('query.'))
        .map(([, { name, isRequired, schema }]) => ({ in: 'query', name, required: isRequired, schema })),
    ],
    ...(body && {
      requestBody: {
        required: endpoint.bodyShape !== undefined && endpoint.bodyShape !== null,
        content: json(body),
      },
    }),
    ...(permissions.length > 0 && { security: [{ user: [] }], 'x-permissions': permissions }),
    responses: {
      [statusOut]:
        statusOut === 204
          ? { description: 'Done' }
          : { description: 'Done', content: json(answerShape(endpoint, model)) },
      ...Object.fromEntries(
        refusals.map(([status, text]) => [
          status,
          {
            description: text,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        ]),
      ),
    },
  };
}
