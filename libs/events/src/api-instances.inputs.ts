import { z } from 'zod';
import { environments } from './databases.noun';
import { endpoint, endpointActors, endpointPermissions } from './api-instances.noun';
import { oauthServices } from './oauth-services';
import { fieldsInput } from './kit/schemas';
import {
  anyJson,
  anyText,
  array,
  boolean,
  email,
  exactText,
  integer,
  line,
  messages,
  numericId,
  object,
  oneOf,
  optionalLine,
  optionalText,
  text,
  uuid,
} from './rules';

/** An instance is named by the `uuid` that every answer has. */
export const instanceReference = object({ uuid });

export const apiInit = object({
  productId: uuid,
  email,
  github: text(100),
  firstName: text(100),
  lastName: text(100),
  /** Its name, unique in the product. */
  instance: text(100),
  title: text(200),
  /** 1 dev, 2 test, 3 prod. */
  env: numericId(environments.length).default(1),
  description: optionalText(2000),
  multiTenant: boolean.default(false),
});

export const apiRemoval = object({
  productId: uuid,
  instance: instanceReference,
  name: optionalText(100),
  /** Leaves the rows of its users in the product's database, for instance because that cannot be reached. */
  leaveUsers: boolean.optional(),
});

const MAX_API_USERS = 200;
/** A page of the users of an instance, by e-mail address. */
export const apiUsersAsked = object({
  instance: instanceReference,
  /** A part of the e-mail address. */
  search: optionalLine(254),
  /** The `next` of the page before. */
  after: optionalLine(254),
  /** Users on a page. */
  limit: integer(MAX_API_USERS)
    .min(1, { error: messages.tooSmall(1) })
    .default(50),
});

const theUser = { instance: instanceReference, user: object({ uuid }) };
export const apiUser = object(theUser);
export const apiUserLock = object({ ...theUser, isLocked: boolean });
export const apiUserPermission = object({ ...theUser, permission: oneOf(endpointPermissions) });

const option = line(500).optional();
/** Without `secret`, the stored one of that service stays. */
const oauthInput = object({
  service: oneOf(oauthServices),
  clientId: text(300),
  secret: exactText(5000).optional(),
  redirectUrl: text(2000),
  options: object({
    teamId: option,
    keyId: option,
    tenant: option,
    issuer: option,
    dataCentre: option,
    page: option,
  }).optional(),
});

/** Each list that is sent replaces the present one. */
export const apiInfoUpdate = object({
  uuid,
  data: object({
    servers: array(object({ url: line(2000) }), 20).optional(),
    oAuthParams: array(oauthInput, oauthServices.length).optional(),
  }),
});

export const entityEndpoints = object({ apiInfo: instanceReference, entity: object({ id: uuid }) });

export const modelReference = object({
  product: object({ id: uuid }),
  env: numericId(environments.length).default(1),
});

const sentValues = z
  .record(z.string().max(100), anyText(2000), { error: messages.type('object') })
  .default({});
/** Two instants or positions of the history. `to` defaults to now. */
export const apiChangesAsked = object({
  instance: instanceReference,
  from: text(40),
  to: text(40).optional(),
});

/** A request to an endpoint, as somebody with a permission would send it. */
export const endpointTry = object({
  instance: instanceReference,
  endpoint: object({ uuid }),
  /** Whose permission it has. */
  as: oneOf(endpointActors),
  /** Values of the path, by their names. */
  params: sentValues,
  query: sentValues,
  /** JSON. Absent: none. */
  body: anyJson({}, true).optional(),
  /** An instant or a position of the history: the definition of then answers. Absent: the present one. */
  at: text(40).optional(),
});

/** Sampled requests to an endpoint, which is to have these values. */
export const endpointReplay = object({
  instance: instanceReference,
  endpoint: object({ uuid }),
  data: fieldsInput(endpoint),
});
