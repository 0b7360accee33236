/** Reads an OpenAPI 3 document, in JSON or YAML. References stay within the document. Pure. */
import { parse } from 'yaml';
import {
  refuseImport,
  shortened,
  splitAddress,
  type Imported,
  type ImportedParam,
  type ImportedRequest,
} from './import-words';

const MAX_REQUESTS = 200;
const MAX_DEPTH = 8;
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

type Part = Readonly<Record<string, unknown>>;

const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const read = (text: string): Part => {
  try {
    // Aliases could unpack to gigabytes.
    return partOf(parse(text, { maxAliasCount: 100 }));
  } catch (error) {
    throw refuseImport(`this is neither JSON nor YAML: ${shortened((error as Error).message, 200)}`);
  }
};

class Document {
  readonly notes = new Set<string>();

  constructor(private readonly root: Part) {}

  /** Follows a reference within the document. */
  at(value: unknown, depth = 0): Part {
    const part = partOf(value);
    const ref = part['$ref'];
    if (typeof ref !== 'string') return part;
    if (!ref.startsWith('#/') || depth > MAX_DEPTH) {
      this.notes.add(
        `The reference ${shortened(ref, 100)} was not followed: only those within the document are.`,
      );
      return {};
    }
    const found = ref
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (inside, step) => (Object.hasOwn(partOf(inside), step) ? partOf(inside)[step] : undefined),
        this.root,
      );
    return this.at(found, depth + 1);
  }

  /** A value that fits the schema. */
  example(schema: unknown, depth = 0): unknown {
    const { type, properties, items, example, default: usual, enum: options, format } = this.at(schema);
    if (example !== undefined) return example;
    if (usual !== undefined) return usual;
    if (listOf(options).length > 0) return listOf(options)[0];
    if (depth > MAX_DEPTH) return null;
    if (properties !== undefined)
      return Object.fromEntries(
        Object.entries(partOf(properties)).map(([name, one]) => [name, this.example(one, depth + 1)]),
      );
    if (type === 'array') return [this.example(items, depth + 1)];
    if (type === 'integer' || type === 'number') return 0;
    if (type === 'boolean') return false;
    return type === 'object' ? {} : textIn(format);
  }
}

const typeNumber = ({ type }: Part): number =>
  ({ integer: 2, number: 3, array: 4, object: 5 })[textIn(type)] ?? 1;
const wordOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
};

const paramsOf = (document: Document, all: readonly unknown[]): ImportedParam[] => {
  const byName = new Map<string, ImportedParam>();
  for (const one of all) {
    const { name, in: place, required, schema, example } = document.at(one);
    const location = { query: 3, header: 2, path: 1 }[textIn(place)];
    if (textIn(name) === '' || location === undefined) continue;
    const about = document.at(schema);
    byName.set(`${textIn(place)} ${textIn(name)}`, {
      name: textIn(name),
      location,
      dataType: typeNumber(about),
      isOptional: required !== true,
      value: wordOf(example ?? about['example'] ?? about['default']),
    });
  }
  return [...byName.values()];
};

const bodyOf = (document: Document, requestBody: unknown): { body: string; params: ImportedParam[] } => {
  const content = partOf(document.at(requestBody)['content']);
  const [type, media] =
    Object.entries(content).find(([name]) => /json/i.test(name)) ?? Object.entries(content)[0] ?? [];
  if (type === undefined) return { body: '', params: [] };
  const { example, schema } = partOf(media);
  const value = example ?? document.example(schema);
  const body = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return {
    body,
    params: [{ name: 'Content-Type', location: 2, dataType: 1, isOptional: false, value: type }],
  };
};

/** Parameters of the path are named in braces there. */
const templated = (path: string): string => path.replaceAll(/\{([^{}]+)\}/g, '{{$1}}');

const hostOf = (document: Document, servers: unknown): { host: string; base: string } => {
  const { url, variables } = partOf(listOf(servers)[0]);
  const address = textIn(url).replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    wordOf(partOf(partOf(variables)[name])['default']),
  );
  if (!/^https?:\/\//i.test(address)) {
    document.notes.add('The document names no server with its whole address: add the host to each request.');
    return { host: '', base: address.replace(/\/$/, '') };
  }
  const { host, url: path } = splitAddress(address);
  return { host, base: path.replace(/\/$/, '') };
};

/** @throws DomainError that says what is wrong with the document */
export const fromOpenApi = (text: string): Imported => {
  const root = read(text);
  if (!textIn(root['openapi']).startsWith('3.'))
    throw refuseImport(
      'an OpenAPI document of version 3 is expected, with openapi: 3.0.0 or later at its beginning',
    );
  const document = new Document(root);
  const requests: ImportedRequest[] = [];
  for (const [path, item] of Object.entries(partOf(root['paths']))) {
    const shared = document.at(item);
    for (const method of METHODS.filter((one) => one in shared)) {
      const operation = partOf(shared[method]);
      const { host, base } = hostOf(document, operation['servers'] ?? shared['servers'] ?? root['servers']);
      const { body, params } = bodyOf(document, operation['requestBody']);
      const url = templated(`${base}${path}`);
      const name =
        textIn(operation['summary']) || textIn(operation['operationId']) || `${method.toUpperCase()} ${path}`;
      requests.push({
        name: shortened(name, 100),
        method: method.toUpperCase(),
        host,
        url,
        description: shortened(textIn(operation['description']), 2000),
        body: method === 'get' || method === 'head' ? '' : body,
        params: [
          ...paramsOf(document, [...listOf(shared['parameters']), ...listOf(operation['parameters'])]),
          ...(method === 'get' || method === 'head' ? [] : params),
        ],
      });
    }
  }
  if (requests.length === 0) throw refuseImport('the document describes no calls (paths is empty)');
  if (requests.length > MAX_REQUESTS)
    throw refuseImport(
      `the document describes ${requests.length} calls, and at most ${MAX_REQUESTS} are imported at once`,
    );
  return { requests, notes: [...document.notes] };
};
