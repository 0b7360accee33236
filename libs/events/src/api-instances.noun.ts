/**
 * The generated APIs of a product: instances with their servers and the services that sign users in, and endpoints. What
 * blocks may contain is judged by `libs/api` against the data model of the product.
 */
import { environments } from './databases.noun';
import {
  choice,
  enumeration,
  flag,
  integer,
  json,
  optionalText,
  paragraphs,
  secret,
  text,
  type Field,
} from './kit/field';
import { noun } from './kit/noun';
import { rich } from './kit/rich';
import {
  oauthServiceNames,
  oauthServices,
  refusedOptions,
  SECURE,
  WEB_ADDRESS,
  type OauthOptions,
} from './oauth-services';

export const endpointMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export const endpointPermissions = ['app', 'admin', 'superadmin'] as const;
/** As whom operators try endpoints. */
export const endpointActors = ['nobody', ...endpointPermissions] as const;
export const DEFAULT_STATUS = 200;
/** Of an API on its own: below are the ports for which systems want an administrator. */
const MIN_PORT = 1024;
const MAX_PORT = 65_535;
/** No port of its own; if it gets one, only this machine reaches it. */
export const noPort = { port: 0, bindTo: '127.0.0.1' } as const;
/** With tenants: the attribute of an entity that says to which of them a row belongs. */
export const TENANT = 'tenant';

export interface ApiServer {
  url: string;
}

const refusedServers = (servers: readonly ApiServer[]): string | undefined => {
  const wrong = servers.findIndex(({ url }) => !WEB_ADDRESS.test(url));
  if (wrong >= 0) return `server ${wrong + 1}: a web address is expected, such as https://api.example.com`;
  const again = servers.findIndex(({ url }, at) => servers.findIndex((one) => one.url === url) < at);
  return again < 0 ? undefined : `server ${again + 1}: this server is in the list already`;
};

const plainInstance = noun('apiInstance', {
  path: 'product/backend/instance',
  within: 'product',
  named: 'name',
  unique: ['name'],
  parts: { oAuthParams: 'oauthParam' },
  fields: {
    name: text(100, { label: 'Instance' }),
    title: text(200, { half: true }),
    env: {
      ...enumeration(environments, { label: 'Environment', half: true }),
      initial: 1,
      since: { version: 1, value: 1 },
    } as Field<number>,
    description: paragraphs(2000),
    firstName: text(100, { half: true }),
    lastName: text(100, { half: true }),
    email: {
      example: 'grace@example.org',
      ...text(254, {
        label: 'E-mail',
        half: true,
        refuses: (email) => (/^[^\s@]+@[^\s@]+$/.test(email) ? undefined : 'email invalid'),
      }),
    },
    github: text(100, { label: 'GitHub', half: true }),
    multiTenant: flag({
      label: 'Multi-tenant',
      help: 'The rows of each tenant are seen by its own users only.',
      since: { version: 1, value: false },
    }),
    servers: json<readonly ApiServer[]>(
      {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          properties: { url: { type: 'string', minLength: 1, maxLength: 2000 } },
          required: ['url'],
          additionalProperties: false,
        },
        examples: [[{ url: 'https://api.example.org' }]],
      },
      { refuses: refusedServers, since: { version: 1, value: [] }, hidden: true },
    ),
    port: {
      example: 4100,
      strict: true,
      ...integer(MAX_PORT, {
        label: 'Port of its own',
        half: true,
        help: `0: none. Otherwise it also answers there, without TLS. From ${MIN_PORT} on.`,
        initial: noPort.port,
        since: { version: 2, value: noPort.port },
        refuses: (port: number) =>
          port === 0 || (port >= MIN_PORT && port <= MAX_PORT)
            ? undefined
            : `a port is from ${MIN_PORT} to ${MAX_PORT}, or 0 for none`,
      }),
    } as Field<number>,
    bindTo: {
      example: noPort.bindTo,
      ...text(45, {
        label: 'Bind to',
        half: true,
        help: `The address of this machine at which the port can be reached. ${noPort.bindTo}: from this machine only.`,
        since: { version: 2, value: noPort.bindTo },
      }),
    } as Field<string>,
    token: secret(200, { help: 'Programs send it to call endpoints with the permission app.', hidden: true }),
  },
  events: {
    added: 'ApiInstanceInitialized',
    revised: {
      ApiInfoRevised: [
        'title',
        'env',
        'description',
        'firstName',
        'lastName',
        'email',
        'github',
        'multiTenant',
      ],
      ApiServersReplaced: ['servers'],
      ApiPortRevised: ['port', 'bindTo'],
      ApiTokenReplaced: ['token'],
    },
  },
  says: {
    ApiInfoRevised: () => 'changed the description of the API',
    ApiServersReplaced: ({ servers }) =>
      servers.length === 0
        ? 'removed all servers'
        : `set the servers ${servers.map(({ url }) => url).join(', ')}`,
    ApiPortRevised: ({ port, bindTo }) =>
      port === 0 ? 'took away the port of its own' : `set the port of its own to ${port} at ${bindTo}`,
    ApiTokenReplaced: () => 'replaced the token',
  },
});

/** Id of a user of the API, who is stored in the product's database. Who that is stands nowhere in the log. */
const theUser = { user: text(36) };
const named = ({ user }: { user: string }): string => `the user ${user.slice(0, 8)}`;

export const apiInstance = rich(plainInstance, {
  commands: (command) => ({
    userLocked: command('ApiInstanceUserLocked', {
      takes: theUser,
      says: (of) => `locked ${named(of)}`,
      hasCall: false,
    }),
    userUnlocked: command('ApiInstanceUserUnlocked', {
      takes: theUser,
      says: (of) => `unlocked ${named(of)}`,
      hasCall: false,
    }),
    userSignedOut: command('ApiInstanceUserSignedOut', {
      takes: theUser,
      says: (of) => `signed ${named(of)} out everywhere`,
      hasCall: false,
    }),
    userPermitted: command('ApiInstanceUserPermitted', {
      takes: { ...theUser, permission: choice(endpointPermissions) },
      says: ({ permission, ...of }) => `gave ${named(of)} the permission ${permission}`,
      hasCall: false,
    }),
    userDeleted: command('ApiInstanceUserDeleted', {
      takes: theUser,
      says: (of) => `deleted ${named(of)}`,
      hasCall: false,
    }),
    /** Recorded before the instance is removed, if it has users. */
    usersDeleted: command('ApiInstanceUsersDeleted', {
      takes: { users: integer() },
      says: ({ users }) => (users === 1 ? 'deleted its user' : `deleted its ${users} users`),
      hasCall: false,
    }),
    /** The operator has chosen to remove the instance without them, because their database could not be reached. */
    usersLeft: command('ApiInstanceUsersLeft', {
      takes: { database: text(200) },
      says: ({ database }) => `left the rows of its users in the database ${database}`,
      hasCall: false,
    }),
  }),
});

/** How users sign in with an account elsewhere. */
export const oauthParam = noun('oauthParam', {
  path: 'product/backend/oauth',
  within: 'apiInstance',
  named: 'service',
  unique: ['service'],
  fields: {
    service: choice(oauthServices, { words: oauthServiceNames }),
    clientId: text(300, { label: 'Client ID' }),
    secret: secret(5000, { help: 'Stored encrypted. Of apple: the text of the .p8 file, in one line.' }),
    redirectUrl: {
      example: 'https://api.example.org/oauth/google',
      ...text(2000, {
        label: 'Redirect URL',
        refuses: (url) =>
          WEB_ADDRESS.test(url) && SECURE.test(url)
            ? undefined
            : 'an address with https is expected, such as https://api.example.com/oauth/google',
      }),
    },
    options: json<OauthOptions>(
      { type: 'object', additionalProperties: { type: 'string', maxLength: 500 }, examples: [{}] },
      {
        max: 4096,
        help: 'Of apple: teamId, keyId and maybe page. Of swissid: issuer. Maybe of microsoft: tenant, and of zoho: dataCentre.',
        refuses: refusedOptions,
        since: { version: 1, value: {} },
      },
    ),
  },
});

/** Names of parameters do not tell one path from another. */
const pathKey = (path: string): string => path.replaceAll(/\/:\w+/g, '/:');

/** A JSON Schema of any object. What is in it is judged with the data model. */
const anyObject = { type: 'object' } as const;

const plainEndpoint = noun('endpoint', {
  path: 'product/backend/endpoint',
  within: 'apiInstance',
  parentAs: 'apiInfo',
  named: 'path',
  uniqueAt: { path: ['method', 'apiInstance'] },
  fields: {
    method: choice(endpointMethods),
    path: { example: '/orders', ...text(200, { placeholder: '/orders/:id', keyOf: pathKey }) },
    permissions: json<readonly string[]>(
      {
        type: 'array',
        items: { type: 'string', enum: endpointPermissions },
        uniqueItems: true,
        examples: [['admin']],
      },
      { max: 1000, since: { version: 1, value: [] } },
    ),
    statusOut: {
      example: DEFAULT_STATUS,
      strict: true,
      ...integer(undefined, {
        label: 'Status of the answer',
        since: { version: 1, value: DEFAULT_STATUS },
        refuses: (status: number) =>
          status >= 200 && status <= 299 ? undefined : 'Status outside of accepted range',
      }),
    } as Field<number>,
    tag: { example: 'Shop', ...optionalText(100) },
    bodyShape: json<Readonly<Record<string, unknown>>>(anyObject, { optional: true }),
    routeChainMap: json<Readonly<Record<string, unknown>>>(anyObject, { optional: true }),
    blocks: json<readonly unknown[]>(
      { type: 'array', maxItems: 50, examples: [[]] },
      { since: { version: 1, value: [] } },
    ),
  },
  events: {
    renamed: 'EndpointMoved',
    revised: {
      EndpointRevised: ['method', 'permissions', 'statusOut', 'tag', 'bodyShape', 'routeChainMap'],
      EndpointBlocksRevised: ['blocks'],
    },
  },
  says: {
    EndpointMoved: ({ path }) => `moved the endpoint to ${path}`,
    EndpointBlocksRevised: ({ blocks }) =>
      `changed the blocks, now ${blocks.length === 1 ? '1 block' : `${blocks.length} blocks`}`,
  },
});

export const endpoint = rich(plainEndpoint, {
  commands: (command) => ({
    /** Recorded before the request is sent, if it may change rows. What was sent is not recorded. */
    tried: command('EndpointTried', {
      takes: { permission: choice(endpointActors) },
      says: ({ permission }) => `sent a request as ${permission}`,
      hasCall: false,
    }),
  }),
});
