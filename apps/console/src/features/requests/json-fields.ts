/** Two JSON values compared field by field. Pure. */

const MAX_FIELDS = 20_000;

const leavesOf = (json: unknown): Map<string, string> => {
  const leaves = new Map<string, string>();
  const add = (value: unknown, path: string): void => {
    if (leaves.size >= MAX_FIELDS) return;
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
      leaves.set(path, JSON.stringify(value) ?? 'null');
    else
      for (const [key, one] of Object.entries(value))
        add(one, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);
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

export const changedFields = (before: unknown, after: unknown): FieldChange[] => {
  const [one, other] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((path) =>
    one.get(path) === other.get(path) ? [] : [{ path, before: one.get(path), after: other.get(path) }],
  );
};
