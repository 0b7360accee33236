/** What can be called of an API, as its documents and clients describe it: its endpoints, and the calls of its users. */
import type { ApiModel } from './api-model';
import { parametersOf, PERMISSIONS, type Endpoint } from './endpoint';
import { answerShape, bodySchema, parametersIn, type ParameterShape, type Schema } from './shapes';

export interface Operation {
  /** For code that calls it, unique in the API: `get_orders_id`. */
  readonly name: string;
  readonly method: string;
  /** `/orders/:id` */
  readonly path: string;
  readonly summary?: string;
  readonly tag?: string | undefined;
  /** Whose token is needed. */
  readonly needs: 'nothing' | 'token';
  /** Those that may call it, if not every token is enough. */
  readonly permissions: readonly string[];
  readonly params: readonly ParameterShape[];
  readonly query: readonly ParameterShape[];
  readonly body?: Schema | undefined;
  readonly isBodyNeeded: boolean;
  readonly status: number;
  /** Absent with 204. */
  readonly answer?: Schema | undefined;
  readonly refusals: readonly string[];
}

export const REFUSALS: Readonly<Record<string, string>> = {
  400: 'A field is missing or wrong; the answer names it',
  401: 'Nobody is signed in',
  403: 'The permission is missing',
  404: 'There is no such row',
  409: 'Another row is in the way, or one that it points to is missing',
  413: 'The request is too large',
  429: 'Too many requests; the header Retry-After says when to come back',
  503: 'The database is away',
};

type Nameless = Omit<Operation, 'name'>;

/** The endpoints first. @param endpoints without problems */
export const operationsOf = (endpoints: readonly Endpoint[], model: ApiModel): Operation[] => {
  const taken = new Set<string>();
  return [...endpoints.map((endpoint) => ofEndpoint(endpoint, model)), ...OF_USERS].map((operation) => {
    const name = nameOf(operation);
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
    taken.add(free);
    return { name: free, ...operation };
  });
};

const nameOf = ({ method, path }: Nameless): string =>
  [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')].join('_');

const ofEndpoint = (endpoint: Endpoint, model: ApiModel): Nameless => {
  const { method, path, permissions = [], tag, statusOut = 200, bodyShape } = endpoint;
  const used = parametersIn(endpoint, model);
  const needs = permissions.length > 0 ? 'token' : 'nothing';
  return {
    method,
    path,
    ...(tag !== '' && { tag }),
    needs,
    permissions,
    params: parametersOf(path).map(
      (name) => used.get(`params.${name}`) ?? { name, isRequired: true, schema: { type: 'string' } },
    ),
    query: [...used].flatMap(([place, one]) => (place.startsWith('query.') ? [one] : [])),
    body: bodySchema(endpoint),
    isBodyNeeded: bodyShape !== undefined && bodyShape !== null,
    status: statusOut,
    ...(statusOut !== 204 && { answer: answerShape(endpoint, model) }),
    refusals: Object.keys(REFUSALS).filter(
      (status) => needs === 'token' || (status !== '401' && status !== '403'),
    ),
  };
};

const objectOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const EMAIL: Schema = { type: 'string', format: 'email', maxLength: 254 };
const INSTANT: Schema = { type: 'string', format: 'date-time' };
const PASSWORD: Schema = { type: 'string', maxLength: 200, description: '10 to 200 characters' };
const ACCOUNT = objectOf({ email: EMAIL, password: PASSWORD });
const USER = objectOf({
  id: { type: 'string', format: 'uuid' },
  email: EMAIL,
  permission: { enum: PERMISSIONS },
  tenant: { type: ['string', 'null'], description: 'whose rows they see' },
  addedAt: INSTANT,
});
const SESSION = objectOf({
  token: { type: 'string', description: 'send it as the bearer token' },
  expiresAt: INSTANT,
  user: USER,
});

const SERVICE: ParameterShape = {
  name: 'service',
  isRequired: true,
  schema: { type: 'string', description: 'such as google' },
};

const ofUsers = (
  method: string,
  path: string,
  rest: Pick<Nameless, 'summary' | 'needs' | 'status' | 'refusals'> & Partial<Nameless>,
): Nameless => ({
  method,
  path: `/auth/${path}`,
  tag: 'users',
  permissions: [],
  params: [],
  query: [],
  isBodyNeeded: rest.body !== undefined,
  ...rest,
});

const OF_USERS: readonly Nameless[] = [
  ofUsers('POST', 'sign-up', {
    summary: 'Makes an account and signs in. Needs the token of the instance',
    needs: 'token',
    body: ACCOUNT,
    status: 201,
    answer: SESSION,
    refusals: ['400', '401', '409', '413', '429', '503'],
  }),
  ofUsers('POST', 'sign-in', {
    summary: 'Signs in',
    needs: 'nothing',
    body: ACCOUNT,
    status: 200,
    answer: SESSION,
    refusals: ['400', '401', '403', '413', '429', '503'],
  }),
  ofUsers('GET', 'me', {
    summary: 'Who is signed in',
    needs: 'token',
    status: 200,
    answer: USER,
    refusals: ['401', '429', '503'],
  }),
  ofUsers('PUT', 'password', {
    summary: 'Sets a new password, which ends all other sessions',
    needs: 'token',
    body: objectOf({ password: PASSWORD, newPassword: PASSWORD }),
    status: 204,
    refusals: ['400', '401', '413', '429', '503'],
  }),
  ofUsers('POST', 'reset', {
    summary: 'Sends a code for a new password by e-mail, if there is such an account',
    needs: 'nothing',
    body: objectOf({ email: EMAIL }),
    status: 204,
    refusals: ['400', '413', '429', '503'],
  }),
  ofUsers('PUT', 'reset', {
    summary: 'Sets a new password with a code from an e-mail, which ends all sessions',
    needs: 'nothing',
    body: objectOf({ token: { type: 'string' }, newPassword: PASSWORD }),
    status: 204,
    refusals: ['400', '413', '429', '503'],
  }),
  ofUsers('POST', 'services/:service', {
    summary: 'Begins a sign-in with a service: open the address in a browser, and keep the key in it',
    needs: 'nothing',
    params: [SERVICE],
    status: 200,
    answer: objectOf({ url: { type: 'string', format: 'uri' }, key: { type: 'string' } }),
    refusals: ['401', '404', '429', '503'],
  }),
  ofUsers('PUT', 'services/:service', {
    summary: 'Ends it with what the service added to the address. A new user needs the token of the instance',
    needs: 'nothing',
    params: [SERVICE],
    body: objectOf({
      key: { type: 'string' },
      answer: { type: 'string', maxLength: 8000, description: '`?code=…&state=…`' },
    }),
    status: 200,
    answer: SESSION,
    refusals: ['400', '401', '403', '404', '413', '429', '503'],
  }),
  ofUsers('POST', 'sign-out', {
    summary: 'Ends the session',
    needs: 'token',
    status: 204,
    refusals: ['401', '429', '503'],
  }),
];
