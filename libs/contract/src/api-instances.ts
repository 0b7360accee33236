/**
 * Generated APIs as the specification calls them, in addition to the kit's calls for their nouns. Answers have no secret:
 * the token of an instance is shown by `product/backend/instance/reveal`, which records that.
 */
import { endpoint, oauthServices } from '@quarterdeck/events';
import {
  apiChangesAsked,
  apiInfoUpdate,
  apiInit,
  apiRemoval,
  byId,
  byUuid,
  endpointReplay,
  endpointTry,
  entityEndpoints,
  instanceReference,
  modelReference,
  object,
} from '@quarterdeck/events/inputs';
import { viewSchemaOf, type ViewOf } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, instance } from './answers';
import { address, changes, model, problem, replay, traffic, tried } from './api-answers';
import { calls } from './call';
import { demo, position } from './demo';
import { valuesOf } from './kit-examples';
import { byReference } from './specified';

const server = z.strictObject({ url: z.string() });
const oauth = z.strictObject({
  uuid: z.string(),
  service: z.enum(oauthServices),
  clientId: z.string(),
  redirectUrl: z.string(),
  options: z.record(z.string(), z.string()),
});

const described = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    instance,
    product: z.strictObject({ id: z.string() }),
    title: z.string(),
    description: z.string(),
    /** 1 dev, 2 test, 3 prod. */
    env: z.int(),
    /** How often the instance was changed. */
    version: z.int(),
    options: z.strictObject({ multiTenant: z.boolean() }),
    email: z.string(),
    github: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    info: z.strictObject({ uuid: z.string(), servers: z.array(server), oAuthParams: z.array(oauth) }),
    endpointCount: z.int(),
    addedAt: z.string(),
    changedAt: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'DescribedApi' });
export interface DescribedApi extends z.infer<typeof described> {}

const endpoints = z.array(viewSchemaOf(endpoint)) as unknown as z.ZodType<ViewOf<typeof endpoint>[]>;
const whole = described.extend({ endpoints }).meta({ id: 'DescribedApiWithEndpoints' });
export interface DescribedApiWithEndpoints extends z.infer<typeof whole> {}

const ofModel = ['entities', 'attributes', 'optionSets', 'optionSetValues'] as const;
const ofInstance = ['apiInstances', 'oauthParams', 'endpoints'] as const;
const reads = { asOf: true } as const;
const theInstance = { uuid: demo.apiInstance };
const endpointValues = valuesOf(endpoint, '/orders');
/** Made of the endpoints that the present data model has no problem with. */
const file = {
  method: 'GET',
  costs: 'work',
  input: byUuid,
  example: theInstance,
  answer: z.unknown(),
  shows: [],
} as const;

export const apiInstances = calls('product/backend', 'admin', {
  list: {
    summary: 'The instances of the generated API of a product, by name',
    input: object({ product: byId }),
    example: { product: { id: demo.product } },
    answer: z.array(described),
    shows: ofInstance,
    wide: true,
    ...reads,
  },
  get: {
    summary: 'One instance with its endpoints',
    input: object({ product: byId, instance: instanceReference }),
    example: { product: { id: demo.product }, instance: theInstance },
    specified: byReference('instance'),
    answer: whole,
    shows: ofInstance,
    wide: true,
    ...reads,
  },
  addresses: {
    summary: 'Where the instances of all products answer: through this console, and on ports of their own',
    input: object({}),
    example: {},
    answer: z.array(address),
    shows: ofInstance,
    wide: true,
    ...reads,
  },
  init: {
    summary: 'Adds an instance to a product. Its token is made, and can be shown later',
    input: apiInit,
    example: {
      productId: demo.product,
      email: 'grace@example.org',
      github: 'grace',
      firstName: 'Grace',
      lastName: 'Hopper',
      instance: 'Shop',
      title: 'Shop API',
      env: 1,
      description: 'Orders and customers',
      multiTenant: false,
    },
    answer: ids,
    stales: 'apiInstances',
    wide: true,
  },
  delete: {
    summary:
      'Removes an instance with its endpoints, and its users for good; `name` is what was typed to confirm. If the database of the users cannot be reached, nothing is removed, unless `leaveUsers` leaves their rows there',
    input: apiRemoval,
    example: { productId: demo.product, instance: theInstance, name: 'Shop' },
    specified: byReference('instance'),
    answer: ids,
    stales: 'apiInstances',
    wide: true,
  },
  updateInfo: {
    summary: 'Replaces the servers of an instance, or the services with which users sign in, or both',
    path: 'info/update',
    input: apiInfoUpdate,
    example: {
      uuid: demo.apiInstance,
      data: {
        servers: [{ url: 'https://api.example.org' }],
        oAuthParams: [
          {
            service: 'microsoft',
            clientId: 'shop',
            secret: 'a client secret',
            redirectUrl: 'https://api.example.org/oauth/microsoft',
            options: { tenant: 'common' },
          },
        ],
      },
    },
    answer: ids,
    stales: ['apiInstances', 'oauthParams'],
    wide: true,
  },
  refresh: {
    summary: 'Checks the endpoints of an instance against the present data model',
    input: object({ instance: instanceReference }),
    example: { instance: theInstance },
    specified: byReference('instance'),
    answer: z.strictObject({ endpoints: z.int(), problems: z.array(problem) }),
    shows: [...ofInstance, ...ofModel],
    wide: true,
    costs: 'work',
    ...reads,
  },
  changes: {
    summary: 'What callers of an instance notice of the changes between two instants, breaking ones first',
    input: apiChangesAsked,
    example: { instance: theInstance, from: position },
    specified: byReference('instance'),
    answer: changes,
    shows: [...ofInstance, ...ofModel, 'databases'],
    wide: true,
    costs: 'work',
    ...reads,
  },
  replay: {
    summary:
      'Sends the sampled requests of an endpoint to its present definition and to a changed one, for reads, and says in what the answers differ. Nothing is recorded',
    path: 'endpoint/replay',
    input: endpointReplay,
    example: { instance: theInstance, endpoint: { uuid: demo.endpoint }, data: endpointValues },
    specified: byReference('instance'),
    answer: replay,
    stales: [],
    wide: true,
    receipt: false,
    costs: 'waiting',
  },
  replaceToken: {
    summary: 'Replaces the token of an instance with a new one; the old one is destroyed',
    path: 'token/replace',
    input: object({ instance: instanceReference }),
    example: { instance: theInstance },
    specified: byReference('instance'),
    answer: ids,
    stales: 'apiInstances',
    wide: true,
  },
  model: {
    summary: 'What endpoints of a product can name: its entities with their attributes, and its option sets',
    input: modelReference,
    example: { product: { id: demo.product }, env: 1 },
    answer: model,
    shows: [...ofModel, 'databases'],
    wide: true,
    costs: 'work',
    ...reads,
  },
  traffic: {
    summary:
      'The requests to an instance, counted by endpoint for seven days, with a sample of those that this console process has seen',
    input: object({ instance: instanceReference }),
    example: { instance: theInstance },
    specified: byReference('instance'),
    answer: traffic,
    shows: ofInstance,
    wide: true,
    volatile: true,
  },
  openapi: {
    ...file,
    summary: 'The OpenAPI 3.1 document of an instance, as a download',
    path: 'openapi/:uuid',
    produces: ['application/json'],
  },
  client: {
    ...file,
    summary: 'A TypeScript client of an instance: one file without dependencies, as a download',
    path: 'client/:uuid',
    produces: ['text/plain'],
  },
  standalone: {
    ...file,
    summary:
      'An instance as a folder that serves it without this console (a tar archive, compressed), with its program and without secrets',
    path: 'standalone/:uuid',
    produces: ['application/gzip'],
  },
  try: {
    summary:
      'Sends a request to an endpoint as somebody with a permission. It is recorded, without values, if it may change rows. With `at`, the definition of that instant answers, and only reads',
    input: endpointTry,
    example: {
      instance: theInstance,
      endpoint: { uuid: demo.endpoint },
      as: 'admin',
      params: {},
      query: {},
      body: { name: 'Ada' },
    },
    specified: byReference('instance'),
    answer: tried,
    stales: [],
    wide: true,
    receipt: false,
    timeless: true,
    costs: 'waiting',
  },
  insertOfEntity: {
    summary: 'Adds five endpoints for an entity: list, detail, insert, update and delete',
    path: 'endpoint/entity',
    input: entityEndpoints,
    example: { apiInfo: theInstance, entity: { id: demo.entity } },
    specified: byReference('apiInfo'),
    answer: z.strictObject({ ids: z.array(z.string()) }),
    stales: 'endpoints',
    wide: true,
  },
});
