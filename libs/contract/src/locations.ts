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
import { demo, newRunId } from './demo';
import { asService } from './specified';

const ownedLocation = locationView.extend({
  domain: z.strictObject({ id: z.string(), serverName: z.string(), revision: z.number() }),
});

export const exampleLocation = {
  location: '/api/',
  match: 'prefix',
  url: 'http://app:3000/',
  deployLog: { id: demo.pull },
  service: { id: demo.service },
  env: 3,
  isRedirect: false,
  redirectCode: 301,
  is404: false,
  volumes: '/srv/static',
  isCorsEnabled: true,
  timeout: 60,
  websocket: true,
  singlePage: true,
  maxBody: 100,
  maxHeader: 32,
  frames: 'deny',
  corsOrigins: 'https://shop.test',
} as const;

export const locations = calls('domain/location', 'admin', {
  list: {
    summary: 'The locations of a domain',
    input: locationList,
    example: { domain: { id: demo.domain } },
    answer: z.array(locationView),
    shows: 'domains',
    wide: true,
    asOf: true,
  },
  listByService: {
    summary: 'The locations that lead to a service, in all domains',
    input: locationsByService,
    example: { service: { id: demo.service } },
    specified: asService,
    answer: z.array(ownedLocation.extend({ by: z.enum(['link', 'package', 'port']) })),
    shows: ['domains', 'services', 'deploys'],
    wide: true,
    asOf: true,
  },
  detail: {
    summary: 'One location, with its domain',
    input: byId,
    example: { id: demo.location },
    answer: ownedLocation,
    shows: 'domains',
    wide: true,
    asOf: true,
  },
  insert: {
    summary: 'Adds a location to a domain',
    input: locationInsert,
    example: { domain: { id: demo.domain }, data: exampleLocation, revision: 3 },
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  update: {
    summary: 'Revises a location: what is not given stays, and null clears a field',
    input: locationUpdate,
    example: { data: exampleLocation, filters: { id: demo.location }, revision: 3 },
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  delete: {
    summary: 'Removes a location',
    input: byId,
    example: { id: demo.location },
    answer: ids,
    stales: 'domains',
    wide: true,
  },
  logs: {
    summary: 'Follows the logs of a location, as a recorded run',
    input: locationLogs,
    example: { id: demo.location, lines: 100, seconds: 60, runId: newRunId },
    answer: started,
    receipt: false,
  },
  inspect: {
    summary: 'Asks the upstream of a location from its server, as a recorded run',
    input: locationInspect,
    example: { id: demo.location, runId: newRunId },
    answer: started,
    receipt: false,
  },
});
