/** The OpenAPI description, generated from the contract: inputs with examples, answers and error shapes. */
import { isRead, type Call } from '@quarterdeck/contract';
import { z } from 'zod';
import { PREFIX } from './bindings';
import { SESSION_COOKIE } from '../sessions';
import { VERSION } from '../version';

type Json = Record<string, unknown>;

/** The only recursive schema. `z.toJSONSchema` generates a name for it. */
const ANY_JSON = /__schema\d+/g;

/** Schemas with an id are described once and then referenced. */
class Schemas {
  readonly components: Json = {};

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    const text = JSON.stringify(made)
      .replaceAll(ANY_JSON, 'Json')
      .replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...shape } = JSON.parse(text) as Json;
    Object.assign(this.components, $defs, { Json: {} });
    return shape;
  }
}

const text = { type: 'string' };
const errorWith = (properties: Json = {}): Json => ({
  type: 'object',
  required: ['msg'],
  properties: { msg: text, ...properties },
});
const errors: Json = {
  Problem: errorWith(),
  FieldProblems: errorWith({ data: { type: 'object', additionalProperties: text } }),
  Conflict: errorWith({
    current: { description: 'The current state of the thing' },
    heldBy: {
      description: 'What has to change first',
      type: 'array',
      items: {
        type: 'object',
        required: ['category', 'id', 'name'],
        properties: { category: text, id: text, name: text },
      },
    },
  }),
  Upstream: errorWith({ code: text }),
  Failure: errorWith({ correlationId: text }),
};

const json = (schema: Json, more: Json = {}): Json => ({
  content: { 'application/json': { schema, ...more } },
});
const problem = (description: string, shape = 'Problem'): Json => ({
  description,
  ...json({ $ref: `#/components/schemas/${shape}` }),
});

const takesInput = ({ input }: Call): boolean => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties).length > 0;
};

const changes = (call: Call): boolean => call.method === 'POST' || !isRead(call);

const answerOf = (call: Call, schemas: Schemas): Json =>
  call.produces
    ? { content: Object.fromEntries(call.produces.map((type) => [type, { schema: text }])) }
    : json(schemas.of(call.answer, 'output'));

const responsesOf = (call: Call, schemas: Schemas): Json => ({
  200: { description: 'Success', ...answerOf(call, schemas) },
  ...(call.method === 'POST' || takesInput(call)
    ? { 400: problem('The input is not valid; `data` names the fields', 'FieldProblems') }
    : {}),
  ...(call.access === 'public' ? {} : { 401: problem('Nobody is signed in') }),
  403: problem('The role is not sufficient, or X-Requested-With is missing'),
  404: problem('This workspace has no such thing'),
  ...(changes(call)
    ? {
        409: problem('Somebody else changed it in the meantime; `current` shows it', 'Conflict'),
        422: problem('The Idempotency-Key was used for another call'),
      }
    : {}),
  429: problem('Too many calls; Retry-After says how long to wait'),
  500: problem('Something went wrong; the server log has details under the correlation id', 'Failure'),
  502: problem('A server or provider refused or did not answer; `code` says which', 'Upstream'),
  503: problem('The database or the event log cannot be reached; Retry-After says how long to wait'),
});

const header = (name: string, required: boolean, description: string): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: text,
});

const addressOf = (call: Call, schemas: Schemas): Json[] => {
  if (call.method === 'POST') return [];
  const { properties = {}, required = [] } = schemas.of(call.input, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const inPath = call.path.split('/').includes(`:${name}`);
    const example = (call.example as Json | undefined)?.[name];
    return {
      name,
      in: inPath ? 'path' : 'query',
      required: inPath || required.includes(name),
      schema,
      ...(example !== undefined && { example }),
    };
  });
};

/** Calls that start a run accept an id for it. A retry names an existing run. */
const startsRun = (call: Call): boolean =>
  changes(call) && (call.id === 'run.retry' || 'runId' in ((call.input as { shape?: object }).shape ?? {}));

const parametersOf = (call: Call, schemas: Schemas): Json[] => [
  ...addressOf(call, schemas),
  ...(changes(call) ? [header('X-Requested-With', true, 'Any value: other sites cannot send it')] : []),
  ...(call.asOf
    ? [header('X-At', false, 'An instant or a position of the history: answers as of then')]
    : []),
  ...(startsRun(call)
    ? [header('X-Wait-In-Line', false, '`true`: the run waits while another one changes its server')]
    : []),
  ...(!isRead(call) && call.receipt !== false && call.access !== 'public'
    ? [header('Idempotency-Key', false, 'A uuid; the same call again has no second effect')]
    : []),
];

const operation = (call: Call, schemas: Schemas): Json => ({
  operationId: call.id,
  summary: call.summary,
  description: `Access: ${call.access}`,
  'x-access': call.access,
  tags: [call.noun],
  parameters: parametersOf(call, schemas),
  ...(call.method === 'POST'
    ? {
        requestBody: {
          required: true,
          ...json(schemas.of(call.input, 'input'), { example: call.example ?? {} }),
        },
      }
    : {}),
  responses: responsesOf(call, schemas),
  ...(call.noun === 'public' ? { security: [{ token: [] }] } : {}),
  ...(call.access === 'public' || call.access === 'local' ? {} : { security: [{ session: [] }] }),
});

export const openApi = (calls: readonly Call[]): Json & { openapi: string } => {
  const schemas = new Schemas();
  const paths: Record<string, Json> = {};
  for (const call of calls) {
    const path = (paths[`/${PREFIX}/${call.path.replaceAll(/:(\w+)/g, '{$1}')}`] ??= {});
    path[call.method.toLowerCase()] = operation(call, schemas);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Quarterdeck', version: VERSION },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...errors, ...schemas.components },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: `\`__Host-${SESSION_COOKIE}\` over https`,
        },
        token: { type: 'http', scheme: 'bearer', description: 'A token of the product' },
      },
    },
  };
};
