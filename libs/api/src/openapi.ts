/** The OpenAPI 3.1 document of an API. */
import type { ApiModel } from './api-model';
import type { Endpoint } from './endpoint';
import { operationsOf, REFUSALS, type Operation } from './operations';
import type { ParameterShape, Schema } from './shapes';

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

const json = (schema: Schema) => ({ 'application/json': { schema } });

/** @param model of endpoints that have no problems */
export function openApiOf(
  { title, version, description, servers = [], endpoints }: Described,
  model: ApiModel,
) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operationsOf(endpoints, model)) {
    const path = operation.path.replaceAll(/:([A-Za-z]\w*)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = describedAs(operation);
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

const parameter = (where: 'path' | 'query', { name, isRequired, schema }: ParameterShape) => ({
  in: where,
  name,
  required: isRequired,
  schema,
});

const describedAs = ({
  name,
  summary,
  tag,
  needs,
  permissions,
  params,
  query,
  body,
  isBodyNeeded,
  status,
  answer,
  refusals,
}: Operation) => ({
  operationId: name,
  ...(summary !== undefined && { summary }),
  ...(tag !== undefined && { tags: [tag] }),
  parameters: [
    ...params.map((one) => parameter('path', one)),
    ...query.map((one) => parameter('query', one)),
  ],
  ...(body && { requestBody: { required: isBodyNeeded, content: json(body) } }),
  ...(needs === 'token' && { security: [{ user: [] }] }),
  ...(permissions.length > 0 && { 'x-permissions': permissions }),
  responses: {
    [status]: { description: 'Done', ...(answer && { content: json(answer) }) },
    ...Object.fromEntries(
      refusals.map((one) => [
        one,
        {
          description: REFUSALS[one],
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
        },
      ]),
    ),
  },
});
