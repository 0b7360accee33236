/** Two JSON values compared field by field. Pure. */
import { below } from './json-rows';

/** Of one value. 5 MB may have ten times as many. */
const MAX_FIELDS = 300_000;

const leavesOf = (json: unknown): Map<string, string> => {
  const leaves = new Map<string, string>();
  const add = (value: unknown, path: string): void => {
    if (leaves.size >= MAX_FIELDS) return;
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
      leaves.set(path, JSON.stringify(value) ?? 'null');
    else
      for (const [key, one] of Object.entries(value))
        add(one, below(path, Array.isArray(value) ? Number(key) : key));
  };
  add(json, '');
  return leaves;
};

export interface FieldChange {
  path: string;
  /** In JSON; undefined where the field is missing. */
  before: string | undefined;
  after: string | undefined;
}

const changesOf = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): FieldChange[] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((path) =>
    one.get(path) === other.get(path) ? [] : [{ path, before: one.get(path), after: other.get(path) }],
  );

export interface BodiesAsked {
  /** UTF-8. */
  before: ArrayBuffer;
  after: ArrayBuffer;
}

export type BodiesTold =
  | { is: 'compared'; count: number; changes: readonly FieldChange[]; isCut: boolean }
  /** One of them is no JSON, or is nested too deeply. */
  | { is: 'no JSON' };

const parsed = (bytes: ArrayBuffer): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** @param most how many changes are told; all are counted */
export const comparedBodies = ({ before, after }: BodiesAsked, most: number): BodiesTold => {
  try {
    const [one, other] = [leavesOf(parsed(before)), leavesOf(parsed(after))];
    const changes = changesOf(one, other);
    const isCut = one.size >= MAX_FIELDS || other.size >= MAX_FIELDS;
    return { is: 'compared', count: changes.length, changes: changes.slice(0, most), isCut };
  } catch {
    return { is: 'no JSON' };
  }
};
