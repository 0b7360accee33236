/** A TypeScript client of an API: one file, without dependencies. */
import type { ApiModel } from './api-model';
import type { Described } from './openapi';
import { operationsOf, type Operation } from './operations';
import type { Schema } from './shapes';

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** The TypeScript of a schema. */
export function typeText(schema: Schema): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ') || 'never';
  const types = [schema.type ?? 'json'].flat();
  return types.map((type) => textOfType(type, schema)).join(' | ');
}

const textOfType = (type: string, { items = {}, properties, required = [] }: Schema): string => {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${typeText(items)}>`;
    case 'object':
      return `{ ${Object.entries(properties ?? {})
        .map(([name, one]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeText(one)}`)
        .join('; ')} }`;
    case 'json':
      return 'Json';
    default:
      return type;
  }
};

const HEAD = `
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What an API answers instead of a result. */
export class ApiError extends Error {
  readonly status: number;
  /** What is wrong with fields, by their places, such as \`body.name\`. */
  readonly fields: { readonly [place: string]: string };
  constructor(status: number, message: string, fields: { readonly [place: string]: string } = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export interface Options {
  /** The address of the API, without a slash at its end. */
  url: string;
  /** The token of whoever is signed in. */
  token?: () => string | undefined;
  fetch?: typeof globalThis.fetch;
}

type Query = { [name: string]: string | number | boolean | undefined };

export function client({ url, token, fetch = globalThis.fetch }: Options) {
  const call = async <T>(method: string, path: string, query: Query = {}, body?: unknown): Promise<T> => {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
    const secret = token?.();
    const answer = await fetch(url + path + (asked.size > 0 ? \`?\${asked}\` : ''), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(secret === undefined ? {} : { authorization: \`Bearer \${secret}\` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read: unknown = text === '' ? null : JSON.parse(text);
    if (answer.ok) return read as T;
    const { message = answer.statusText, fields } = (read ?? {}) as Partial<ApiError>;
    throw new ApiError(answer.status, message, fields);
  };
  return {
`;

/** @param model of endpoints that have no problems */
export function clientOf({ title, version, endpoints }: Described, model: ApiModel): string {
  const heading = `/** A client of ${`${title}, ${version}`.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')}. Generated: changes belong into the definition. */`;
  return `${heading}${HEAD}${operationsOf(endpoints, model).map(methodOf).join('')}  };\n}\n`;
}

const methodOf = ({
  name,
  method,
  path,
  summary,
  params,
  query,
  body,
  isBodyNeeded,
  answer,
}: Operation): string => {
  const isNeeded = query.some(({ isRequired }) => isRequired);
  const fields = [
    ...params.map((one) => `${key(one.name)}: string | number`),
    ...(query.length > 0
      ? [
          `query${isNeeded ? '' : '?'}: { ${query.map((one) => `${key(one.name)}${one.isRequired ? '' : '?'}: ${scalarText(one.schema)}`).join('; ')} }`,
        ]
      : []),
    ...(body ? [`body${isBodyNeeded ? '' : '?'}: ${typeText(body)}`] : []),
  ];
  const filled = path.replaceAll(
    /:([A-Za-z]\w*)/g,
    (_, one: string) => `\${encodeURIComponent(asked[${JSON.stringify(one)}])}`,
  );
  const isOptional = params.length === 0 && !isNeeded && !isBodyNeeded;
  const given = fields.length === 0 ? '' : `asked: { ${fields.join('; ')} }${isOptional ? ' = {}' : ''}`;
  const rest = body
    ? `, ${query.length > 0 ? 'asked.query' : '{}'}, asked.body`
    : query.length > 0
      ? ', asked.query'
      : '';
  const says = `${method} ${path}${summary === undefined ? '' : `: ${summary}`}`;
  return `    /** ${says} */\n    ${name}: (${given}) =>\n      call<${answer ? typeText(answer) : 'null'}>('${method}', \`${filled}\`${rest}),\n`;
};

/** A query has no objects and no lists. */
const scalarText = (schema: Schema): string => {
  const text = typeText({ ...schema, ...(schema.type === undefined && !schema.enum && { type: 'string' }) });
  return text.replaceAll(' | null', '');
};
