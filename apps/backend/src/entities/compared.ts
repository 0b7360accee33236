/** Merges two data models into one graph that marks what was added, removed and changed. Pure. */
import type { Answer, entities } from '@quarterdeck/contract';
import { sameData } from '../platform/same-data';

type Graph = Answer<typeof entities.visualization>;
type Entity = Graph['dataModel'][number];
type Change = Entity['change'];

export const compared = (before: Graph, now: Graph): Graph => ({
  dataModel: merged(before.dataModel, now.dataModel, (was, is) => {
    const fields = merged(was?.fields ?? [], is?.fields ?? []);
    const isSame = was?.name === is?.name && fields.every(({ change }) => change === undefined);
    return { fields, isSame };
  }),
  relations: merged(before.relations, now.relations),
});

/** In the order of `now`, followed by removed elements. */
function merged<T extends { id: string; change?: Change }>(
  before: readonly T[],
  now: readonly T[],
  inside: (was: T | undefined, is: T | undefined) => Partial<T> & { isSame?: boolean } = () => ({}),
): T[] {
  const was = new Map(before.map((one) => [one.id, one]));
  const is = new Map(now.map((one) => [one.id, one]));
  const shown = (one: T): T => {
    const [old, present] = [was.get(one.id), is.get(one.id)];
    const { isSame = sameData(old, present), ...parts } = inside(old, present);
    const change: Change = !old ? 'added' : !present ? 'removed' : isSame ? undefined : 'changed';
    return { ...one, ...parts, ...(change && { change }) };
  };
  return [...now, ...before.filter(({ id }) => !is.has(id))].map(shown);
}
