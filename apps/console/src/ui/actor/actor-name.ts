import type { PersonView } from '@quarterdeck/projections';

/** Actors that are no people. */
const ITSELF: Record<string, string> = { system: 'Quarterdeck', cli: 'Command line' };

/** How an actor of an event is called; somebody who is gone from the records keeps the start of the id. */
export const actorName = (
  actor: string,
  people: readonly Pick<PersonView, 'id' | 'name' | 'email'>[] = [],
): string => {
  if (Object.hasOwn(ITSELF, actor)) return ITSELF[actor] ?? actor;
  const person = people.find(({ id }) => id === actor);
  return person?.name ?? person?.email ?? `Person ${actor.slice(-6)}`;
};
