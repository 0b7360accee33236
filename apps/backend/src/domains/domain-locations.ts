/** The locations of a domain (proxy passes), with unique paths. */
import type { EventData } from '@quarterdeck/events';
import { fieldMessages, locationEdit, type locationUpdate } from '@quarterdeck/events/inputs';
import type { LocationView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { command } from '../platform/decider';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { ofPresent, type Changes } from './domain-state';

export type Location = EventData<'LocationAdded'>['location'];
/** A location as entered by an operator. Default: a prefix match. */
export const locationOf = (id: string, data: z.infer<typeof locationEdit>): Location => {
  const { match = 'prefix', deployLog, service, ...rest } = data;
  const asked = { ...rest, id, match, deployLog: deployLog?.id, service: service?.id };
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

const locationIn = (locations: readonly Location[], id: string): Location => {
  const known = locations.find((location) => location.id === id);
  if (!known) throw notFound('location');
  return known;
};

/** nginx refuses a second location with the same path and the same kind of match. */
const refuseTwin = (data: Location, locations: readonly Location[]): void => {
  const twin = locations.find(
    ({ id, location, match }) => id !== data.id && location === data.location && match === data.match,
  );
  if (twin) throw invalidField('location', `this domain already has a location ${data.location}`);
};

export class AddLocation extends command('AddLocation', { idempotent: true })(
  ofPresent((location: Location, { locations }) => {
    const known = locations.find(({ id }) => id === location.id);
    if (known && sameAs(known)(location)) return [];
    refuseTwin(location, locations);
    if (known) throw invalidField('id', 'this location already exists');
    if (locations.length >= MAX_LOCATIONS)
      throw invalidField('location', `a domain can have at most ${MAX_LOCATIONS} locations`);
    return [{ type: 'LocationAdded', data: { location } }];
  }),
) {}

export class ReviseLocation extends command('ReviseLocation', { idempotent: true })(
  ofPresent((location: Location, { locations }) => {
    if (sameAs(locationIn(locations, location.id))(location)) return [];
    refuseTwin(location, locations);
    return [{ type: 'LocationRevised', data: { location } }];
  }),
) {}

/** `location`: the id of the location. */
export class RemoveLocation extends command('RemoveLocation')(
  ofPresent(({ location: of }: { location: string }, { locations }) => {
    const { id, location } = locationIn(locations, of);
    return [{ type: 'LocationRemoved', data: { id, location } }];
  }),
) {}

export const locationCommands = [AddLocation, ReviseLocation, RemoveLocation] as const;

export const locationChanges: Changes = {
  LocationAdded: ({ locations }, { location }) => ({ locations: [...locations, location] }),
  LocationRevised: ({ locations }, { location }) => ({
    locations: locations.map((known) => (known.id === location.id ? location : known)),
  }),
  LocationRemoved: ({ locations }, { id }) => ({
    locations: locations.filter((known) => known.id !== id),
  }),
};
