/** The locations of a domain (proxy passes), with unique paths. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { domainEvents } from '@quarterdeck/events/catalogue';
import { fieldMessages, locationEdit, type locationUpdate } from '@quarterdeck/events/inputs';
import type { LocationView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { command, type CommandOf } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';

export type Location = EventData<'LocationAdded'>['location'];
type LocationEvent = Extract<
  EventsOf<typeof domainEvents>,
  { type: 'LocationAdded' | 'LocationRevised' | 'LocationRemoved' }
>;

export class AddLocation extends command('AddLocation', { idempotent: true })<Location>() {}
export class ReviseLocation extends command('ReviseLocation', { idempotent: true })<Location>() {}
/** `location`: the id of the location. */
export class RemoveLocation extends command('RemoveLocation')<{ location: string }>() {}
export const locationCommands = [AddLocation, ReviseLocation, RemoveLocation];

/** A location as entered by an operator. Default: a prefix match. */
export const locationOf = (id: string, data: z.infer<typeof locationEdit>): Location => {
  const { match = 'prefix', deployLog, ...rest } = data;
  const asked = { ...rest, id, match, deployLog: deployLog?.id };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Location;
};

/** Omitted fields keep their values, and null clears one. @throws DomainError if the fields do not fit together */
export const changed = (
  stored: LocationView & { domain?: unknown },
  data: z.infer<typeof locationUpdate>['data'],
): z.infer<typeof locationEdit> => {
  const { id: _, domain: __, ...known } = stored;
  const given = Object.entries({ ...known, ...data }).filter(([, value]) => value !== null);
  const { success, data: whole, error } = locationEdit.safeParse(Object.fromEntries(given));
  if (success) return whole;
  const fields = Object.entries(fieldMessages(error)).map(([field, message]) => [`data.${field}`, message]);
  throw new DomainError('invalid', fields[0]?.[1] ?? '', Object.fromEntries(fields));
};

/** More than this in one domain is a mistake, and would make a configuration too large to review. */
const MAX_LOCATIONS = 200;

const sameAs =
  (a: Location) =>
  (b: Location): boolean =>
    (Object.keys({ ...a, ...b }) as (keyof Location)[]).every((key) => a[key] === b[key]);

/** nginx refuses a second location with the same path and the same kind of match. */
const refuseTwin = (data: Location, locations: readonly Location[]): void => {
  const twin = locations.find(
    ({ id, location, match }) => id !== data.id && location === data.location && match === data.match,
  );
  if (twin) throw invalidField('location', `this domain already has a location ${data.location}`);
};

export const decideLocations = (
  given: CommandOf<typeof locationCommands>,
  locations: readonly Location[],
): LocationEvent[] => {
  if (given.type === 'RemoveLocation') {
    const known = locations.find(({ id }) => id === given.data.location);
    if (!known) throw notFound('location');
    return [{ type: 'LocationRemoved', data: { id: known.id, location: known.location } }];
  }
  const { data } = given;
  const known = locations.find(({ id }) => id === data.id);
  if (given.type === 'ReviseLocation' && !known) throw notFound('location');
  if (known && sameAs(known)(data)) return [];
  refuseTwin(data, locations);
  if (given.type === 'ReviseLocation') return [{ type: 'LocationRevised', data: { location: data } }];
  if (known) throw invalidField('id', 'this location already exists');
  if (locations.length >= MAX_LOCATIONS)
    throw invalidField('location', `a domain can have at most ${MAX_LOCATIONS} locations`);
  return [{ type: 'LocationAdded', data: { location: data } }];
};

export const evolveLocations = (
  locations: readonly Location[],
  event: LocationEvent,
): readonly Location[] => {
  switch (event.type) {
    case 'LocationAdded':
      return [...locations, event.data.location];
    case 'LocationRevised': {
      const { location } = event.data;
      return locations.map((known) => (known.id === location.id ? location : known));
    }
    case 'LocationRemoved':
      return locations.filter(({ id }) => id !== event.data.id);
  }
};
