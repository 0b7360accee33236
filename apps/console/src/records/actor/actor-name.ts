import { personName, type PersonView } from '@quarterdeck/projections';

/** Actors that are no people. */
const ITSELF: Record<string, string> = { system: 'Quarterdeck', cli: 'Command line' };

/** To choose from, beside people. */
export const actorsThatAreNoPeople = Object.entries(ITSELF).map(([id, label]) => ({ id, label }));

/** For a name that the back end has looked up already, where there is one. */
export const nameOfActor = (named: string): string =>
  (Object.hasOwn(ITSELF, named) ? ITSELF[named] : undefined) ?? named;

type Known = Pick<PersonView, 'id' | 'name' | 'email'>;

/** How an actor of an event is called; whoever is in no record keeps the end of the id. */
export const actorName = (actor: string, people: readonly Known[] = []): string => {
  if (Object.hasOwn(ITSELF, actor)) return nameOfActor(actor);
  const person = people.find(({ id }) => id === actor);
  return person ? personName(person) : `Person ${actor.slice(-6)}`;
};
