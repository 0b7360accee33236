/** GitHub's published API description: finds the call that a request makes, and validates requests and answers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Json;
}

interface Content {
  content?: Record<string, { schema: Json }>;
}

interface Operation {
  parameters: (Parameter | { $ref: string })[];
  requestBody?: Content;
  responses: Record<string, Content | { $ref: string }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: Json;
}

/** Relative to the root of the repository, where tests run. */
const file = path.resolve('testing/github/description.json');
const description = JSON.parse(readFileSync(file, 'utf8')) as Description;

const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false });
addFormats(ajv);
ajv.addSchema(description, 'github');

const found = <T>(value: T | { $ref: string }): T =>
  typeof value === 'object' && value !== null && '$ref' in value
    ? (value.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, part) => (at as Json)[part], description) as T)
    : value;

/** Makes `$ref`s, which are relative to the description, absolute. */
const absolute = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(absolute);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' && typeof value === 'string' ? [key, `github${value}`] : [key, absolute(value)],
    ),
  );
};

const compiled = new Map<string, ValidateFunction>();
const problemsOf = (name: string, schema: Json, value: unknown): string[] => {
  const validate = compiled.get(name) ?? ajv.compile(absolute(schema) as Json);
  compiled.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
};

const schemaIn = ({ content }: Content): Json | undefined =>
  Object.entries(content ?? {}).find(([type]) => type.includes('json'))?.[1].schema;

export interface Match {
  /** `GET /repos/{owner}/{repo}` */
  name: string;
  params: Record<string, string>;
  operation: Operation;
}

const operations = Object.entries(description.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    // Names of branches and packages contain slashes, but clients encode only those of packages.
    const pattern = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'ref' ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
    );
    const name = `${method.toUpperCase()} ${template}`;
    return { method: method.toUpperCase(), pattern: new RegExp(`^${pattern}$`), name, operation };
  }),
);

/** The call that a request makes, or undefined if it is not in the description. */
export const matched = (method: string, pathname: string): Match | undefined => {
  for (const { method: its, pattern, name, operation } of operations) {
    const fits = its === method ? pattern.exec(pathname) : null;
    if (fits)
      return {
        name,
        operation,
        params: Object.fromEntries(
          Object.entries(fits.groups ?? {}).map(([key, text]) => [key, decodeURIComponent(text)]),
        ),
      };
  }
  return undefined;
};

const typed = (schema: Json, text: string): unknown =>
  schema.type === 'integer' || schema.type === 'number' ? Number(text) : text;

export const requestProblems = (match: Match, query: URLSearchParams, body: unknown): string[] => {
  const { name, operation } = match;
  const parameters = operation.parameters.map((one) => found<Parameter>(one));
  const known = new Set(parameters.filter((one) => one.in === 'query').map((one) => one.name));
  const unknown = [...query.keys()].filter((key) => !known.has(key));
  const wrong = parameters.flatMap((one) => {
    const text = one.in === 'query' ? query.get(one.name) : null;
    if (text === null) return [];
    return problemsOf(`${name} ?${one.name}`, one.schema, typed(one.schema, text));
  });
  const schema = operation.requestBody && schemaIn(operation.requestBody);
  const inBody = schema ? problemsOf(`${name} body`, schema, body ?? {}) : [];
  return [...unknown.map((key) => `${name} ?${key} is not a parameter`), ...wrong, ...inBody];
};

/** GitHub may refuse any call with 401, 403, 422, 429 or 5xx, even if its description does not list the status. */
const refusals = { type: 'object', required: ['message'] };

export const answerProblems = ({ name, operation }: Match, status: number, body: unknown): string[] => {
  const described = operation.responses[String(status)];
  if (described === undefined)
    return status >= 400
      ? problemsOf(`${name} refusal`, refusals, body)
      : [`${name} does not answer with status ${status}`];
  const schema = schemaIn(found<Content>(described));
  return schema ? problemsOf(`${name} ${status}`, schema, body) : [];
};

/** A value of the schema: samples for all required fields, overridden by the given ones. */
export const filled = (schema: string, given: Json = {}): Json => ({
  ...(sample({ $ref: `#/components/schemas/${schema}` }) as Json),
  ...given,
});

const AN_INSTANT = '2026-11-23T12:00:00Z';
const texts: Record<string, string> = {
  uri: 'https://api.github.com/',
  'date-time': AN_INSTANT,
  email: 'nobody@example.org',
};

const sample = (given: Json): unknown => {
  const schema = found<Json>(given as { $ref: string });
  if (schema.nullable === true) return null;
  const [first] = ((schema.oneOf ?? schema.anyOf ?? schema.allOf) as Json[] | undefined) ?? [];
  if (first) return sample(first);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    case 'string':
      return texts[String(schema.format)] ?? 'text';
    default: {
      const properties = (schema.properties ?? {}) as Record<string, Json>;
      const required = (schema.required ?? []) as string[];
      return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {})]));
    }
  }
};
