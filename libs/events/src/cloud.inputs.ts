/** Input schemas of the calls about cloud providers. The console's forms use the same schemas. */
import { z } from 'zod';
import { ipv4, isHostName } from './dns.inputs';
import {
  boolean,
  integer,
  line,
  longText,
  messages,
  numericId,
  object,
  oneOf,
  optionalText,
  text,
  uuid,
} from './rules';

const runId = uuid.optional();
/** A word of the provider's own, such as `s-1vcpu-1gb`. */
export const slug = text(80).regex(/^[a-z0-9][\w.-]*$/i, {
  error: 'a name of the provider is expected, such as s-1vcpu-1gb',
});
export const machineName = text(255).regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, {
  error: 'letters, digits, "." and "-" are accepted, as in web-1',
});
export const clusterName = text(63).regex(/^[a-z0-9][a-z0-9-]{2,62}$/, {
  error: '3 to 63 lowercase letters, digits and "-" are accepted',
});
const domain = text(253).regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, {
  error: 'a domain is expected, such as example.org',
});

export const cloudToken = object({
  token: line(400).regex(/^[\w.-]+$/, {
    error: 'a token of the provider is expected, such as dop_v1_…',
  }),
});
export const cloudCallback = object({
  state: text(200),
  code: optionalText(400),
  error: optionalText(400),
});

export const dropletCreate = object({
  name: machineName,
  region: slug.optional(),
  size: slug.optional(),
  image: slug.optional(),
  backups: boolean.optional(),
  runId,
});
/** `privateKey`: of a machine that the console has no key for. `product`: whose costs it counts for. */
export const dropletAssociate = object({
  id: uuid,
  privateKey: longText(20_000).optional(),
  passphrase: optionalText(1000),
  username: text(80).optional(),
  product: object({ id: uuid }).optional(),
});
export const dropletActions = [
  'power_on',
  'power_off',
  'shutdown',
  'reboot',
  'power_cycle',
  'resize',
  'rename',
  'snapshot',
  'rebuild',
] as const;
const needs = { resize: 'size', rename: 'newName', rebuild: 'image' } as const;
/** `name`: typed to confirm what loses data: a rebuild. */
export const dropletAct = object({
  id: uuid,
  type: oneOf(dropletActions),
  size: slug.optional(),
  newName: machineName.optional(),
  image: slug.optional(),
  name: optionalText(255),
  runId,
}).superRefine((value, context) => {
  const field = (needs as Record<string, 'size' | 'newName' | 'image' | undefined>)[value.type];
  if (field !== undefined && value[field] === undefined)
    context.addIssue({ code: 'custom', path: [field], message: 'This field is required' });
});
/** `name`: typed to confirm. */
export const dropletDelete = object({ id: uuid, name: text(255), runId });

export const cloudEngines = ['mysql', 'pg'] as const;
export const cloudDatabaseCreate = object({
  name: clusterName,
  engine: oneOf(cloudEngines).optional(),
  region: slug.optional(),
  size: slug.optional(),
  runId,
});
/** `name`: typed to confirm. */
export const cloudDatabaseDelete = object({ uuid, name: text(63).optional(), runId });
export const cloudDatabaseAssociate = object({
  id: uuid,
  product: object({ id: uuid }),
  runId,
});

const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'MX'] as const;
/** `@`, or labels. Only the first one may be a wildcard. */
const recordName = text(253).regex(/^(@|(\*|[\w-]{1,63})(\.[\w-]{1,63})*)$/, {
  error: 'the name below the domain is expected, such as shop, or @ for the domain itself',
});
const fields = {
  type: oneOf(recordTypes),
  name: recordName,
  data: text(4000),
  ttl: integer(604_800)
    .refine((seconds) => seconds >= 30, { error: messages.tooSmall(30) })
    .optional(),
  priority: integer(65_535).optional(),
};
const isPlace = (data: string): boolean => data === '@' || isHostName(data);
const place = {
  is: isPlace,
  error: 'a host name is expected, such as shop.example.org, or @ for the domain itself',
};
const values: Partial<Record<string, { is: (data: string) => boolean; error: string }>> = {
  A: { is: (data) => ipv4.test(data), error: 'an IPv4 address is expected, such as 203.0.113.7' },
  AAAA: {
    is: (data) => z.ipv6().safeParse(data).success,
    error: 'an IPv6 address is expected, such as 2001:db8::7',
  },
  CNAME: place,
  MX: place,
};
/** What only fields together tell. */
const judged = (
  { type, name, data, domain: of }: { type: string; name: string; data: string; domain?: string },
  { addIssue }: z.RefinementCtx,
): void => {
  const value = values[type];
  if (value && !value.is(data)) addIssue({ code: 'custom', path: ['data'], message: value.error });
  const below = `.${of?.toLowerCase()}`;
  // The provider would append the domain a second time.
  if (of !== undefined && `.${name.toLowerCase()}`.endsWith(below)) {
    const meant = name.slice(0, -below.length) || '@';
    addIssue({ code: 'custom', path: ['name'], message: `the domain is appended: enter ${meant}` });
  }
};
/** Form schema of `cloudRecordInsert` and `cloudRecordUpdate`. */
export const cloudRecord = object(fields).superRefine(judged);
export const cloudRecordInsert = object({ domain, ...fields }).superRefine(judged);
export const cloudRecordUpdate = object({ domain, record: numericId(), ...fields }).superRefine(judged);
export const cloudRecordDelete = object({ domain, record: numericId() });
export const ofCloudDomain = object({ domain });

export const cloudKeyDelete = object({ key: numericId(), name: text(255) });
export const costMonth = object({
  month: text(7).regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'a month is expected, such as 2026-11' }),
}) satisfies z.ZodType;
