/** An endpoint while it is edited: values with a structure are texts, which may not be JSON yet. Pure. */
import { CRUD_TYPES, type BlockType } from '@quarterdeck/api';
import { DEFAULT_STATUS, type endpoint, type ValuesOf } from '@quarterdeck/events';
import { jsonIn } from '../../ui/form/json-text';

type Endpoint = ValuesOf<typeof endpoint>;

const jsonKeys = ['filters', 'data', 'each', 'projection', 'references', 'order', 'skip', 'take'] as const;
export type JsonKey = (typeof jsonKeys)[number];

/** Which parts a block of a type has, in the order of the form. */
const partsOf: Readonly<Record<BlockType, readonly JsonKey[]>> = {
  list: ['filters', 'order', 'skip', 'take', 'projection', 'references'],
  detail: ['filters', 'projection', 'references'],
  insert: ['data'],
  insertMultiple: ['each', 'data'],
  update: ['filters', 'data'],
  delete: ['filters'],
  snippet: [],
};

export const shownParts = (type: string): readonly JsonKey[] =>
  Object.hasOwn(partsOf, type) ? partsOf[type as BlockType] : [];

export const isCrud = (type: string): boolean => (CRUD_TYPES as readonly string[]).includes(type);
export const mayConcernAll = (type: string): boolean => type === 'update' || type === 'delete';

export interface BlockDraft extends Record<JsonKey, string> {
  /** Stays the same while blocks are moved. */
  key: number;
  type: string;
  name: string;
  entity: string;
  /** An update or a delete without filters. */
  all: boolean;
  ts: string;
  chainBlockMap: string;
}

export interface EndpointDraft {
  method: string;
  path: string;
  permissions: readonly string[];
  statusOut: string;
  tag: string;
  bodyShape: string;
  routeChainMap: string;
  blocks: readonly BlockDraft[];
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2);

/** A new block is a CRUD block without anything in it. */
export const emptyBlock = (key: number): BlockDraft => ({
  key,
  type: 'list',
  name: '',
  entity: '',
  all: false,
  ts: '',
  chainBlockMap: '',
  filters: '',
  data: '',
  each: '',
  projection: '',
  references: '',
  order: '',
  skip: '',
  take: '',
});

const wordIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const blockDraft = (block: Readonly<Record<string, unknown>>, key: number): BlockDraft => ({
  ...emptyBlock(key),
  ...Object.fromEntries(jsonKeys.map((part) => [part, textOf(block[part])])),
  type: String(block['type']),
  name: wordIn(block['name']),
  entity: wordIn(block['entity']),
  all: block['all'] === true,
  ts: wordIn(block['ts']),
  chainBlockMap: textOf(block['chainBlockMap']),
});

export const NEW_ENDPOINT: Endpoint = {
  method: 'GET',
  path: '',
  permissions: ['admin'],
  statusOut: DEFAULT_STATUS,
  tag: '',
  bodyShape: null,
  routeChainMap: null,
  blocks: [],
};

export const draftOf = (stored: Endpoint): EndpointDraft => ({
  method: stored.method,
  path: stored.path,
  permissions: stored.permissions,
  statusOut: String(stored.statusOut),
  tag: stored.tag,
  bodyShape: textOf(stored.bodyShape),
  routeChainMap: textOf(stored.routeChainMap),
  blocks: stored.blocks.map((block, at) => blockDraft(block as Readonly<Record<string, unknown>>, at)),
});

const NOT_JSON = 'Not JSON';
const NOT_VALID = 'Not a valid JSON';
const OUTSIDE = 'Status outside of accepted range';

export interface ReadDraft {
  endpoint: Endpoint;
  /** What is no JSON or no number, by the field: `blocks.0.filters`. */
  unread: Readonly<Record<string, string>>;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The endpoint that a draft says. What cannot be read is left out of it, and said. */
export const readDraft = (draft: EndpointDraft): ReadDraft => {
  const unread: Record<string, string> = {};
  const json = (text: string, field: string, message = NOT_JSON): unknown => {
    if (text.trim() === '') return undefined;
    const value = jsonIn(text);
    if (value === undefined) unread[field] = message;
    return value;
  };
  const map = (text: string, field: string, message?: string): unknown => {
    const value = json(text, field, message) ?? null;
    return isEmptyObject(value) ? null : value;
  };
  const blocks = draft.blocks.map((block, at): object => {
    const place = `blocks.${at}`;
    const { type, name, entity, ts, all } = block;
    const chainBlockMap = map(block.chainBlockMap, `${place}.chainBlockMap`, NOT_VALID);
    const parts = shownParts(type).map((key) => [key, json(block[key], `${place}.${key}`)] as const);
    return {
      type,
      ...(name !== '' && { name }),
      ...(isCrud(type) && { entity }),
      ...(type === 'snippet' && { ts }),
      ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)),
      ...(mayConcernAll(type) && all && { all: true }),
      ...(chainBlockMap !== null && { chainBlockMap }),
    };
  });
  const status = draft.statusOut.trim() === '' ? DEFAULT_STATUS : Number(draft.statusOut);
  if (!Number.isInteger(status) || status < 200 || status > 299) unread['statusOut'] = OUTSIDE;
  const endpoint = {
    method: draft.method,
    path: draft.path.trim(),
    permissions: draft.permissions,
    statusOut: status,
    tag: draft.tag.trim(),
    bodyShape: map(draft.bodyShape, 'bodyShape'),
    routeChainMap: map(draft.routeChainMap, 'routeChainMap'),
    blocks,
  } as Endpoint;
  return { endpoint, unread };
};
