/** The API's description, made from what the routes declare and from the schemas that check their input. */
import { z } from 'zod';
import type { Route } from './route-table';
import { VERSION } from './version';

type Json = Record<string, unknown>;

const shapeOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return shape;
};

const message = { type: 'object', required: ['msg'], properties: { msg: { type: 'string' } } };
const problem = (description: string, schema: Json = message): Json => ({
  description,
  content: { 'application/json': { schema } },
});

const fields = {
  ...message,
  properties: { ...message.properties, data: { type: 'object', additionalProperties: { type: 'string' } } },
};
const failure = { ...message, properties: { ...message.properties, correlationId: { type: 'string' } } };

const changes = (route: Route): boolean => route.changes === true || route.method !== 'GET';

const answersOf = (route: Route): Json => ({
  200: route.answer
    ? { description: 'Success', content: { 'application/json': { schema: shapeOf(route.answer, 'output') } } }
    : { description: 'Success' },
  ...((route.body ?? route.query)
    ? { 400: problem('The input is not right; `data` names the fields', fields) }
    : {}),
  ...(route.level === 'public' ? {} : { 401: problem('Nobody is signed in') }),
  403: problem('The role does not suffice, or X-Requested-With is missing'),
  ...(changes(route) ? { 409: problem('Somebody else changed it meanwhile; `current` shows it') } : {}),
  ...(changes(route) ? { 422: problem('The Idempotency-Key was used for another call') } : {}),
  429: problem('Too many calls; Retry-After says how long to wait'),
  500: problem('Something went wrong; the log has more under the correlation id', failure),
  503: problem('The database or the event log cannot be reached; Retry-After says how long to wait'),
});

const header = (name: string, required: boolean, description: string): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const parametersOf = (route: Route): Json[] => {
  const query = route.query
    ? (shapeOf(route.query, 'input') as { properties?: Json; required?: string[] })
    : {};
  return [
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      schema,
    })),
    ...(changes(route) ? [header('X-Requested-With', true, 'Any value: other sites cannot send it')] : []),
    ...(route.past
      ? [header('X-At', false, 'An instant, or a position of the history: the answer as it was then')]
      : []),
    ...(changes(route) && route.receipt !== false && route.level !== 'public'
      ? [header('Idempotency-Key', false, 'A uuid; the same call again has no second effect')]
      : []),
  ];
};

const operation = (route: Route): Json => ({
  operationId: route.call?.id ?? route.handler,
  summary: route.summary ?? route.handler,
  description: `Access: ${route.level}`,
  'x-access': route.level,
  tags: [route.path.split('/')[2] ?? ''],
  parameters: parametersOf(route),
  ...(route.body
    ? {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: shapeOf(route.body, 'input') } },
        },
      }
    : {}),
  responses: answersOf(route),
  ...(route.level === 'public' || route.level === 'local' ? {} : { security: [{ session: [] }] }),
});

export const openApi = (routes: readonly Route[]): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Quarterdeck', version: VERSION },
    paths,
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'qd_session' } } },
  };
};
