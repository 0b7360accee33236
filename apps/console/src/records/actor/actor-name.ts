import type { PersonView } from '@quarterdeck/projections';

/** Actors that are no people. */
const ITSELF: Record<string, string> = { system: 'Quarterdeck', cli: 'Command line' };

type Known = Pick<PersonView, 'id' | 'name' | 'email'>;

/**
 * Everybody has a name or an e-mail until he is forgotten; on a page about the past, too, he has none any more. The end
 * of the id then tells him from the others who were forgotten.
 */
export const personName = ({ id, name, email }: Known): string =>
  name ?? email ?? `Former member (${id.slice(-4)})`;

/** How an actor of an event is called; whoever is in no record keeps the end of the id. */
export const actorName = (actor: string, people: readonly Known[] = []): string => {
  if (Object.hasOwn(ITSELF, actor)) return ITSELF[actor] ?? actor;
  const person = people.find(({ id }) => id === actor);
  return person ? personName(person) : `Person ${actor.slice(-6)}`;
};
