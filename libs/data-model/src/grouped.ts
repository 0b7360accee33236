/** Look-ups for lists that are read once per entry: searching the list each time grows with the square. */

/** Entries by key, in their order. Unlike `Map.groupBy`, it exists in every supported Node. */
export function grouped<T, K>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** The first entry of each key, as `find` returns it. */
export function firsts<T, K>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, T> {
  const found = new Map<K, T>();
  for (const one of all) {
    const key = keyOf(one);
    if (!found.has(key)) found.set(key, one);
  }
  return found;
}
