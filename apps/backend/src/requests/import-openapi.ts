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
import { Document, firstOf, listOf, partOf, textIn, typeIn, type Part } from './openapi-document';

const MAX_REQUESTS = 200;
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];
const OTHER_METHODS = ['options', 'trace', 'query'];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // YAML. Aliases could unpack to gigabytes.
    return parse(text, { maxAliasCount: 100 });
  }
};

const read = (text: string): Part => {
  try {
    return partOf(parsed(text));
  } catch (error) {
    throw refuseImport(`this is neither JSON nor YAML: ${shortened((error as Error).message, 200)}`);
  }
};

const TYPES: ReadonlyMap<string, number> = new Map([
  ['integer', 2],
  ['number', 3],
  ['array', 4],
  ['object', 5],
]);
/** They are sent where the path names them. */
const IN_PATH = 1;
const PLACES: ReadonlyMap<string, number> = new Map([
  ['query', 3],
  ['header', 2],
  ['path', IN_PATH],
]);
const wordOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
};

/** Parameters of the path are named in braces there. */
const placeholder = (name: string): string => name.replaceAll(/[^\w.-]/g, '_');
const templated = (path: string): string =>
  path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{{${placeholder(name)}}}`);

/** In a list by name. */
const firstExample = (document: Document, examples: unknown): unknown =>
  document.at(Object.values(partOf(examples))[0])['value'];

const paramsOf = (document: Document, all: readonly unknown[]): ImportedParam[] => {
  const byName = new Map<string, ImportedParam>();
  for (const one of all) {
    const { name, in: place, required, schema, example, examples } = document.at(one);
    const location = PLACES.get(textIn(place));
    if (textIn(name) === '' || location === undefined) continue;
    const about = document.at(schema);
    byName.set(`${textIn(place)} ${textIn(name)}`, {
      name: location === IN_PATH ? placeholder(textIn(name)) : textIn(name),
      location,
      dataType: TYPES.get(typeIn(about)) ?? 1,
      isOptional: required !== true,
      value: wordOf(
        document.copy(
          firstOf(
            example,
            firstExample(document, examples),
            about['example'],
            listOf(about['examples'])[0],
            about['default'],
          ),
        ),
      ),
    });
  }
  return [...byName.values()];
};

const bodyOf = (document: Document, requestBody: unknown): { body: string; params: ImportedParam[] } => {
  const content = partOf(document.at(requestBody)['content']);
  const [type, media] =
    Object.entries(content).find(([name]) => /json/i.test(name)) ?? Object.entries(content)[0] ?? [];
  if (type === undefined) return { body: '', params: [] };
  const { example, examples, schema } = partOf(media);
  const given = firstOf(example, firstExample(document, examples));
  const value = given === undefined ? document.example(schema) : document.copy(given);
  const body = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return {
    body,
    params: [{ name: 'Content-Type', location: 2, dataType: 1, isOptional: false, value: type }],
  };
};

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

interface Operation {
  root: Part;
  /** What all methods of the path have in common. */
  shared: Part;
  path: string;
  method: string;
}

const requestOf = (document: Document, { root, shared, path, method }: Operation): ImportedRequest => {
  const operation = partOf(shared[method]);
  const { host, base } = hostOf(document, operation['servers'] ?? shared['servers'] ?? root['servers']);
  const hasBody = method !== 'get' && method !== 'head';
  const { body, params } = hasBody ? bodyOf(document, operation['requestBody']) : { body: '', params: [] };
  const called = `${method.toUpperCase()} ${path}`;
  const name = textIn(operation['summary']).trim() || textIn(operation['operationId']).trim() || called;
  return {
    name: shortened(name, 100),
    method: method.toUpperCase(),
    host,
    url: templated(`${base}${path}`),
    description: shortened(textIn(operation['description']), 2000),
    body,
    params: [
      ...paramsOf(document, [...listOf(shared['parameters']), ...listOf(operation['parameters'])]),
      ...params,
    ],
  };
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
  let count = 0;
  for (const [path, item] of Object.entries(partOf(root['paths']))) {
    const shared = document.at(item);
    for (const other of OTHER_METHODS.filter((one) => one in shared))
      document.notes.add(
        `${other.toUpperCase()} ${shortened(path, 100)} is left out: this method cannot be sent from here.`,
      );
    for (const method of METHODS.filter((one) => one in shared)) {
      // Beyond the limit they are only counted.
      if (requests.length < MAX_REQUESTS) requests.push(requestOf(document, { root, shared, path, method }));
      count += 1;
    }
  }
  if (requests.length === 0) throw refuseImport('the document describes no calls (paths is empty)');
  if (count > MAX_REQUESTS)
    throw refuseImport(
      `the document describes ${count} calls, and at most ${MAX_REQUESTS} are imported at once`,
    );
  return { requests, notes: [...document.notes] };
};
