/**
 * Saved requests to other systems, with their parameters, and the collections that they belong to. Values that differ by
 * environment are variables, and secrets: requests name both and contain neither.
 */
import { environments } from './databases.noun';
import {
  boxedEnumeration,
  flag,
  group,
  integer,
  namedEnumeration,
  optionalText,
  paragraphs,
  reference,
  secret,
  text,
} from './kit/field';
import { noun } from './kit/noun';
import { plainSecretIn } from './plain-secrets';

/** In the order of their ids. The specification has the first two. */
export const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export const requestLocations = ['Payload', 'Headers', 'Params'] as const;
export const requestDataTypes = ['String', 'Number', 'Decimal', 'Array', 'Object'] as const;

/** Methods that only read, so such a request may be sent again, and has no body. */
export const emptyBodyMethods: readonly string[] = ['GET', 'HEAD'];

/** `{{secret.token}}` is the secret `token`. */
export const SECRET_PREFIX = 'secret.';

const MAX_BODY = 20_000;
const HEADERS = 2;
const PARAMS = 3;

/** Secrets that a text contains itself, instead of naming them. */
const refusedSecret = (value: string): string | undefined => {
  const found = plainSecretIn(value);
  return (
    found &&
    `line ${found.line} contains what looks like ${found.what}: everybody with access to the history could read it. ` +
      'Save it as a secret and write {{secret.name}} here'
  );
};

const refusedHost = (host: string): string | undefined => {
  if (host.includes(`{{${SECRET_PREFIX}`)) return 'a secret cannot be part of the host';
  if (host.includes('{{')) return undefined;
  const rest = host.replace(/^https?:\/\//i, '');
  return /[\s/?#@\\]/.test(rest) || rest === ''
    ? 'a host is expected, with the scheme and the port if needed: such as https://api.example.com:8443'
    : undefined;
};

const refusedPath = (path: string): string | undefined => {
  if (!path.startsWith('/') && !path.startsWith('{{'))
    return 'a path is expected, beginning with /: such as /orders';
  if (/[\s#]/.test(path)) return 'a path has no spaces and no #';
  return refusedSecret(path);
};

/** These are made from the request itself. Setting them could change where it ends. */
const OWN_HEADERS = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
  'te',
  'trailer',
];
const CREDENTIALS = /^(?:proxy-)?authorization$|^cookie$|(?:api|access)[_-]?key|passw(?:or)?d|token|secret/i;
/** Where a list goes on. */
const PLACE_IN_LIST = /^(?:next|page|sync|continuation|cursor)[_-]?token$/i;

/** Whether the value of a header or parameter of this name says who calls. */
export const identifiesCaller = (name: string): boolean =>
  CREDENTIALS.test(name) && !PLACE_IN_LIST.test(name);

/** Why a header cannot be sent. */
export const refusedHeader = (name: string): string | undefined => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    return `${JSON.stringify(name.slice(0, 50))} is no name of a header`;
  return OWN_HEADERS.includes(name.toLowerCase())
    ? `the header ${name} is set by the console and cannot be chosen`
    : undefined;
};

interface ParamPlace {
  name: string;
  paramType: { id: number; name?: string };
}

const place = { name: text(200), paramType: namedEnumeration(requestLocations, { label: 'Location' }) };

const refusedInput = ({ name, paramType }: ParamPlace): string | undefined =>
  paramType.id === HEADERS ? refusedHeader(name) : undefined;

const VARIABLE = /^[A-Za-z_][\w-]*$/;
const refusedName = (name: string): string | undefined =>
  VARIABLE.test(name)
    ? undefined
    : 'a name begins with a letter and has letters, digits, _ and - only: such as base_url';

const refusedOutput = ({ name, paramType }: ParamPlace): string | undefined =>
  paramType.id === PARAMS ? 'an answer has no parameters: choose Payload or Headers' : refusedName(name);

export const requestCollection = noun('requestCollection', {
  path: 'request/collection',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    description: paragraphs(2000),
    delayMs: integer(60_000, {
      label: 'Delay between requests (ms)',
      since: { version: 1, value: 0 },
      half: true,
    }),
    stopOnError: flag({
      label: 'Stop at the first request that fails',
      help: 'A request fails if there is no answer, its status is 400 or higher, or a check fails.',
      since: { version: 1, value: true },
    }),
  },
});

export const request = noun('request', {
  path: 'request',
  named: 'name',
  fields: {
    name: text(100),
    method: namedEnumeration(requestMethods, { since: { version: 1, value: { id: 1 } } }),
    collection: reference('requestCollection', { optional: true, loose: true }),
    product: reference('product', { optional: true, loose: true }),
    host: {
      example: 'shop.example.org:8443',
      ...optionalText(300, {
        help: 'With https:// unless it says http://. {{name}} is replaced by the variable of that name.',
        placeholder: 'https://api.example.com',
        refuses: refusedHost,
      }),
    },
    url: optionalText(2000, { label: 'Path', placeholder: '/orders/{{id}}', refuses: refusedPath }),
    description: paragraphs(2000),
    body: paragraphs(MAX_BODY, {
      help: 'Sent as it is, with variables and secrets filled in. If empty, parameters of location Payload are sent as a JSON object.',
      refuses: refusedSecret,
    }),
    checks: paragraphs(4000, {
      example: 'status == 200',
      help: 'What has to be true of the answer, one CEL expression a line, over status, headers, json, text and ms: status == 200 && json.total > 0',
    }),
    sequence: integer(9999, {
      label: 'Place in the collection',
      help: 'A collection runs from the lowest number to the highest, and by name where they are equal.',
      since: { version: 1, value: 1 },
      onDemand: true,
      half: true,
    }),
  },
});

export const requestParam = noun('requestParam', {
  path: 'request/params',
  within: 'request',
  named: ({ input, output }: { input: ParamPlace | null; output: ParamPlace | null }) =>
    (input ?? output)?.name ?? '',
  fields: {
    inOrOut: flag({
      label: 'Input (sent with the request; otherwise an output, read from the answer)',
      initial: true,
    }),
    input: group(place, { when: ['inOrOut', true], refuses: refusedInput }),
    output: group(place, {
      help: 'Later requests of a collection use it as {{name}}.',
      when: ['inOrOut', false],
      refuses: refusedOutput,
    }),
    value: optionalText(4000, {
      label: 'Value',
      help: 'Of an input: what is sent unless another value is given; it may contain {{variables}} and {{secret.name}}. Of an output: where it is, as a path such as data.items[0].id, or the name of a header; default: its name.',
      refuses: refusedValue,
    }),
    isOptional: flag({ label: 'Is Optional', since: { version: 1, value: false } }),
    dataType: namedEnumeration(requestDataTypes, {
      label: 'Data Type',
      since: { version: 1, value: { id: 1 } },
    }),
  },
});

/** Of what identifies the caller, the secret part has to be a reference: values are recorded. */
export const refusedParamValue = (name: string, value: string): string | undefined =>
  value !== '' && identifiesCaller(name) && !value.includes('{{')
    ? `${name} identifies the caller: save it as a secret and write {{secret.name}} here`
    : refusedSecret(value);

function refusedValue(value: string, all: Readonly<Record<string, unknown>>): string | undefined {
  const input = all['input'] as ParamPlace | null | undefined;
  return input ? refusedParamValue(input.name, value) : refusedSecret(value);
}

const env = boxedEnumeration(environments, { label: 'Environment' });
const ofCollection = reference('requestCollection', {
  label: 'Collection',
  help: 'If empty, it is for all requests of the workspace. A collection’s own value comes first.',
  optional: true,
  loose: true,
});

export const requestVariable = noun('requestVariable', {
  path: 'request/variable',
  named: 'name',
  uniqueAt: { name: ['env', 'collection'] },
  fields: {
    name: text(100, { help: 'Requests write {{name}}.', refuses: refusedName }),
    env,
    collection: ofCollection,
    value: optionalText(4000, { refuses: refusedSecret }),
  },
});

const MIN_SECRET = 4;

export const requestSecret = noun('requestSecret', {
  path: 'request/secret',
  named: 'name',
  uniqueAt: { name: ['env', 'collection'] },
  fields: {
    name: text(100, { help: 'Requests write {{secret.name}}.', refuses: refusedName }),
    env,
    collection: ofCollection,
    value: secret(4000, {
      help: 'Stored encrypted, and masked wherever an answer repeats it. At least 4 characters.',
      refuses: (value: unknown) =>
        typeof value === 'string' && value.length < MIN_SECRET
          ? `at least ${MIN_SECRET} characters are expected: a shorter one could not be masked in answers`
          : undefined,
    }),
  },
});
