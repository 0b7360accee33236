import { personName, type PersonView } from '@quarterdeck/projections';

/** Actors that are not people. */
const ITSELF: Record<string, string> = { system: 'Quarterdeck', cli: 'The command line' };

/** Options for filters by actor, next to people. */
export const actorsThatAreNoPeople = Object.entries(ITSELF).map(([id, label]) => ({ id, label }));

/** Label of a non-human actor; any other value is a name that the back end resolved, and is returned unchanged. */
export const nameOfActor = (named: string): string =>
  (Object.hasOwn(ITSELF, named) ? ITSELF[named] : undefined) ?? named;

type KnownPerson = Pick<PersonView, 'id' | 'name' | 'email'>;

/** Display name of an event's actor; an unknown person is shown by the end of their id. */
export const actorName = (actor: string, people: readonly KnownPerson[] = []): string => {
  if (Object.hasOwn(ITSELF, actor)) return nameOfActor(actor);
  const person = people.find(({ id }) => id === actor);
  return person ? personName(person) : `Person ${actor.slice(-6)}`;
};
