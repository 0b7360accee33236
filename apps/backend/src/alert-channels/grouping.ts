/** Which alerts are one message: those of one server and its sites, and those of one run of a watch. Pure. */
import type { AlertView } from '@quarterdeck/projections';

export interface Arisen {
  alert: AlertView;
  /** Id of the server that it is about, directly or through a site or a service. */
  server?: string | undefined;
}

/** In the order in which their first alerts arose. */
export const together = (arisen: readonly Arisen[]): AlertView[][] => {
  const groupOf = new Map<string, Set<Arisen>>();
  for (const one of arisen) {
    const keys = [`about ${one.alert.about}`, ...(one.server === undefined ? [] : [`server ${one.server}`])];
    const joined = new Set([one, ...keys.flatMap((key) => [...(groupOf.get(key) ?? [])])]);
    const names = new Set([
      ...keys,
      ...[...groupOf].flatMap(([key, group]) => (overlap(group, joined) ? [key] : [])),
    ]);
    for (const name of names) groupOf.set(name, joined);
  }
  const groups = [...new Set(groupOf.values())].map((group) =>
    [...group].map(({ alert }) => alert).sort(byTime),
  );
  return groups.sort(([one], [other]) => (one && other ? byTime(one, other) : 0));
};

const overlap = (one: ReadonlySet<Arisen>, other: ReadonlySet<Arisen>): boolean =>
  [...one].some((each) => other.has(each));

const byTime = (one: AlertView, other: AlertView): number => {
  const [a, b] = [one, other].map(({ raisedAt, id }) => `${raisedAt} ${id}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
};
