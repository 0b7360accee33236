/** The parts of an OpenAPI document, with its references, and examples of its schemas. Pure. */
import { shortened } from './import-words';

const MAX_DEPTH = 8;
/** Of one example. A schema may name itself in many places, and an alias of YAML a value that contains it. */
const MAX_VALUES = 2000;
const MAX_COPIED_DEPTH = 100;

export type Part = Readonly<Record<string, unknown>>;

export const partOf = (value: unknown): Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const unescaped = (step: string): string => {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
};

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Part)[key] : undefined;

class NoRoom extends Error {}

/** Values that may still be made for an example. */
interface Room {
  left: number;
}

export class Document {
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
    const steps = ref.slice(2).split('/').map(unescaped);
    return this.at(steps.reduce<unknown>(own, this.root), depth + 1);
  }

  /** A value that fits the schema; undefined if there is none of reasonable size. */
  example(schema: unknown): unknown {
    return this.within((room) => this.made(schema, room, 0));
  }

  /** The value as it is, if it is of reasonable size. */
  copy(value: unknown): unknown {
    return this.within((room) => copied(value, room));
  }

  private within(make: (room: Room) => unknown): unknown {
    try {
      return make({ left: MAX_VALUES });
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      this.notes.add(
        `An example with more than ${MAX_VALUES} values, or one that contains itself, is left out.`,
      );
      return undefined;
    }
  }

  private made(schema: unknown, room: Room, depth: number): unknown {
    take(room);
    const part = this.at(schema);
    const known = firstOf(
      part['example'],
      listOf(part['examples'])[0],
      part['const'],
      part['default'],
      listOf(part['enum'])[0],
    );
    if (known !== undefined) return copied(known, room);
    if (depth > MAX_DEPTH) return null;
    const made = (one: unknown): unknown => this.made(one, room, depth + 1);
    const all = listOf(part['allOf']).map(made);
    const [choice] = [...listOf(part['oneOf']), ...listOf(part['anyOf'])];
    const properties = Object.entries(partOf(part['properties']))
      .filter(([, one]) => this.at(one)['readOnly'] !== true)
      .map(([name, one]) => [name, made(one)] as const);
    if (properties.length > 0 || all.some(isObject))
      return Object.fromEntries([...all.flatMap((one) => Object.entries(partOf(one))), ...properties]);
    if (all.length > 0) return all[0];
    if (choice !== undefined) return made(choice);
    const type = typeIn(part);
    if (type === 'array') return [made(part['items'])];
    if (type === 'integer' || type === 'number') return 0;
    if (type === 'boolean') return false;
    return type === 'object' ? {} : textIn(part['format']);
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const firstOf = (...values: unknown[]): unknown => values.find((value) => value !== undefined);

const take = (room: Room): void => {
  room.left -= 1;
  if (room.left < 0) throw new NoRoom();
};

const copied = (value: unknown, room: Room, depth = 0): unknown => {
  take(room);
  if (depth > MAX_COPIED_DEPTH) throw new NoRoom();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => copied(one, room, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one, room, depth + 1)]));
};

/** Since 3.1 there may be several types, of which one is `null`. */
export const typeIn = ({ type }: Part): string =>
  textIn(Array.isArray(type) ? type.find((one) => one !== 'null') : type);
