/** The locations of domains. */
import {
  byId,
  locationInsert,
  locationInspect,
  locationList,
  locationLogs,
  locationUpdate,
  locationsByService,
} from '@quarterdeck/events/inputs';
import { locationView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, started } from './answers';
import { calls } from './call';
import { asService } from './specified';

const ownedLocation = locationView.extend({
  domain: z.strictObject({ id: z.string(), serverName: z.string(), revision: z.number() }),
});

export const locations = calls('domain/location', {
  list: {
    summary: 'The locations of a domain',
    access: 'admin',
    input: locationList,
    answer: z.array(locationView),
    shows: 'domains',
    wide: true,
    asOf: true,
  },
  listByService: {
    summary: 'The locations that lead to a service, in all domains',
    access: 'admin',
    input: locationsByService,
    specified: asService,
    answer: z.array(ownedLocation),
    shows: ['domains', 'services', 'deploys'],
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'One location, with its domain',
    access: 'admin',
    input: byId,
    answer: ownedLocation,
    shows: 'domains',
    wide: true,
    asOf: true,
  },
  insert: {
    summary: 'Adds a location to a domain',
    access: 'admin',
    input: locationInsert,
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  update: {
    summary: 'Revises a location: what is not given stays, and null clears a field',
    access: 'admin',
    input: locationUpdate,
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  delete: {
    summary: 'Removes a location',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  logs: {
    summary: 'Follows the logs of a location, as a recorded run',
    access: 'admin',
    input: locationLogs,
    answer: started,
    receipt: false,
  },
  inspect: {
    summary: 'Asks the upstream of a location from its server, as a recorded run',
    access: 'admin',
    input: locationInspect,
    answer: started,
    receipt: false,
  },
});
