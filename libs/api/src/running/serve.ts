/** One request to a compiled endpoint: its body is checked, its blocks run one after the other, the last one answers. */
import { Refused, resolved, type Values } from '../bind';
import { EXPECTED, scalarOf } from '../checks';
import type { CompiledBlock, CompiledEndpoint } from '../compile';
import type { BodyField, BodyShape } from '../endpoint';
import { LIMITS } from '../limits';
import { ofValue, perform, type Result, type Tools } from './perform';
import type { Value } from '../values';

export interface Request extends Pick<Values, 'params' | 'query' | 'body' | 'user' | 'now' | 'tenant'> {}

export interface ServeTools extends Tools {
  /** Runs a snippet as a guest. */
  readonly snippet: (ts: string, values: Values) => Promise<unknown>;
}

/** @throws Refused with the field, what is wrong and what would be right */
export async function serve(
  compiled: CompiledEndpoint,
  request: Request,
  tools: ServeTools,
): Promise<Result> {
  const { bodyShape, routeChainMap } = compiled.endpoint;
  if (bodyShape) checkBody(bodyShape, request.body, 'body');
  const chain: Record<string, unknown> = {};
  let values: Values = { ...request, chain, in: NOTHING };
  for (const [name, value] of Object.entries(routeChainMap ?? {})) put(chain, name, valueOf(value, values));
  let last: Result = ofValue(null);
  for (const [at, block] of compiled.blocks.entries()) {
    const given = mapped(block.chainBlockMap, values);
    if (given !== values.in) values = { ...values, in: given };
    const result =
      block.type === 'snippet'
        ? ofValue(await tools.snippet(block.ts, values))
        : await perform(block, values, tools);
    last = result;
    // Nobody reads the last one, and properties like these are dear.
    if (at === compiled.blocks.length - 1) break;
    const names = [String(at), ...(block.name === undefined ? [] : [block.name])];
    for (const name of names)
      Object.defineProperty(chain, name, { enumerable: true, get: () => result.value() });
  }
  return last;
}

const put = (into: Record<string, unknown>, name: string, value: unknown): void => {
  if (value !== undefined) into[name] = value;
};

/** An absent value is an error where it is used, unless it has a default or is optional there. */
const valueOf = (value: Value, values: Values): unknown => resolved(value, values);

const NOTHING = {};

const mapped = (mapping: CompiledBlock['chainBlockMap'], values: Values): object => {
  const names = Object.entries(mapping);
  if (names.length === 0) return NOTHING;
  const into: Record<string, unknown> = {};
  for (const [name, value] of names) put(into, name, valueOf(value, values));
  return into;
};

const refuse = (field: string, message: string): never => {
  throw new Refused({ status: 400, field, message });
};

/** @throws Refused: fields that the shape does not name are refused as well */
export function checkBody(shape: BodyShape, body: unknown, path: string): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(path, 'expected an object');
  for (const name of Object.keys(body))
    if (!Object.hasOwn(shape, name))
      refuse(
        `${path}.${name}`,
        `unknown field: the fields are ${Object.keys(shape).slice(0, 50).join(', ')}`,
      );
  for (const [name, field] of Object.entries(shape)) {
    const here = `${path}.${name}`;
    const given = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (given === undefined || given === null) {
      if (!field.optional) refuse(here, 'This field is required');
    } else if (!field.list) checkField(field, given, here);
    else if (!Array.isArray(given)) refuse(here, 'expected a list');
    else {
      const most = field.max ?? LIMITS.list;
      if (given.length > most) refuse(here, `at most ${most} items are accepted`);
      for (const [at, one] of given.entries()) checkField({ ...field, max: undefined }, one, `${here}.${at}`);
    }
  }
}

function checkField({ type, max, shape }: BodyField, given: unknown, path: string): void {
  if (type === 'Object') return checkBody(shape ?? {}, given, path);
  if (type === 'JSON') return;
  // Flags and numbers of a body are those of JSON, not texts.
  const isText = typeof given === 'string' && (type === 'Int' || type === 'Double' || type === 'Boolean');
  const value = isText ? undefined : scalarOf(type, given);
  if (value === undefined) return refuse(path, `expected ${EXPECTED[type]}`);
  if (type === 'String' && max !== undefined && [...String(value)].length > max)
    refuse(path, `at most ${max} characters are accepted`);
}
