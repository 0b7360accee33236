/**
 * What DigitalOcean's API (v2) takes and answers, as far as the console calls it: 36 calls. Written for these tests after
 * the provider's published OpenAPI description (Apache-2.0), which has more fields. The stand-in checks every request
 * and answer against it.
 */
import { z } from 'zod';
import {
  account,
  action,
  cluster,
  domain,
  droplet,
  image,
  key,
  record,
  region,
  rule,
  size,
  snapshot,
} from './models';

const paging = { page: z.coerce.number().int().min(1), per_page: z.coerce.number().int().min(1).max(200) };
const listOf = <const K extends string>(name: K, one: z.ZodType) =>
  z.strictObject({
    [name]: z.array(one),
    links: z.looseObject({
      pages: z.object({ first: z.url(), prev: z.url(), next: z.url(), last: z.url() }).partial().optional(),
    }),
    meta: z.object({ total: z.int() }),
  });

const slug = z.string().min(1);
const dropletRequest = z.strictObject({
  name: z
    .string()
    .max(255)
    .regex(/^[a-zA-Z0-9]?[a-z0-9A-Z.-]*[a-z0-9A-Z]$/),
  region: slug.optional(),
  size: slug,
  image: z.union([slug, z.int()]),
  ssh_keys: z.array(z.union([z.string(), z.int()])).optional(),
  backups: z.boolean().optional(),
  ipv6: z.boolean().optional(),
  monitoring: z.boolean().optional(),
  vpc_uuid: z.uuid().optional(),
  tags: z
    .array(z.string().regex(/^[\w:-]{1,255}$/))
    .nullable()
    .optional(),
  user_data: z
    .string()
    .max(64 * 1024)
    .optional(),
  with_droplet_agent: z.boolean().optional(),
});
const actionRequest = z.union([
  z.strictObject({ type: z.enum(['reboot', 'power_cycle', 'shutdown', 'power_off', 'power_on']) }),
  z.strictObject({ type: z.literal('resize'), size: slug, disk: z.boolean().optional() }),
  z.strictObject({ type: z.literal('rename'), name: slug }),
  z.strictObject({ type: z.literal('snapshot'), name: slug.optional() }),
  z.strictObject({ type: z.literal('rebuild'), image: z.union([slug, z.int()]) }),
]);
const clusterRequest = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{2,62}$/),
  engine: z.enum(['pg', 'mysql']),
  version: z.string().optional(),
  num_nodes: z.int(),
  size: slug,
  region: slug,
  private_network_uuid: z.uuid().optional(),
  project_id: z.uuid().optional(),
  tags: z.array(z.string()).nullable().optional(),
});
const recordChange = record.partial().omit({ id: true });
const recordRequest = recordChange.required({ type: true });
const ruleRequest = rule.partial().required({ type: true, value: true }).omit({ created_at: true });
const options = z.strictObject({
  regions: z.array(slug),
  versions: z.array(z.string()),
  layouts: z.array(z.strictObject({ num_nodes: z.int(), sizes: z.array(slug) })),
});
const started = z.strictObject({
  droplet,
  links: z.object({
    actions: z.array(z.strictObject({ id: z.int(), rel: z.string(), href: z.url() })),
  }),
});

interface Operation {
  /** Absent: it takes none. */
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Answers by status; `undefined` has no body. */
  answers: Record<number, z.ZodType | undefined>;
}
const get = (answer: z.ZodType, query: z.ZodRawShape = {}): Operation => ({
  query: z.strictObject(query).partial() as z.ZodObject,
  answers: { 200: answer },
});
const list = (name: string, one: z.ZodType, query: z.ZodRawShape = {}): Operation =>
  get(listOf(name, one), { ...paging, ...query });
const send = (body: z.ZodType, status: number, answer?: z.ZodType): Operation => ({
  body,
  answers: { [status]: answer },
});
const remove: Operation = { answers: { 204: undefined } };
const oneOf = (name: string, schema: z.ZodType) => z.strictObject({ [name]: schema });

export const operations: Readonly<Record<string, Operation>> = {
  'GET /v2/account': get(oneOf('account', account)),
  'GET /v2/account/keys': list('ssh_keys', key),
  'POST /v2/account/keys': send(
    z.strictObject({ name: z.string(), public_key: z.string() }),
    201,
    oneOf('ssh_key', key),
  ),
  'GET /v2/account/keys/{key}': get(oneOf('ssh_key', key)),
  'DELETE /v2/account/keys/{key}': remove,
  'GET /v2/actions/{action}': get(oneOf('action', action)),
  'GET /v2/droplets': list('droplets', droplet, { tag_name: z.string(), name: z.string() }),
  'POST /v2/droplets': send(dropletRequest, 202, started),
  'GET /v2/droplets/{droplet}': get(oneOf('droplet', droplet)),
  'DELETE /v2/droplets/{droplet}': remove,
  'GET /v2/droplets/{droplet}/actions': list('actions', action),
  'POST /v2/droplets/{droplet}/actions': send(actionRequest, 201, oneOf('action', action)),
  'GET /v2/droplets/{droplet}/snapshots': list('snapshots', snapshot),
  'GET /v2/sizes': list('sizes', size),
  'GET /v2/regions': list('regions', region),
  'GET /v2/images': list('images', image, { type: z.enum(['distribution', 'application']) }),
  'GET /v2/databases': get(z.strictObject({ databases: z.array(cluster).optional() }), {
    tag_name: z.string(),
    ...paging,
  }),
  'POST /v2/databases': send(clusterRequest, 201, oneOf('database', cluster)),
  'GET /v2/databases/options': get(oneOf('options', z.strictObject({ pg: options, mysql: options }))),
  'GET /v2/databases/{cluster}': get(oneOf('database', cluster)),
  'DELETE /v2/databases/{cluster}': remove,
  'GET /v2/databases/{cluster}/ca': get(oneOf('ca', z.strictObject({ certificate: z.base64() }))),
  'GET /v2/databases/{cluster}/firewall': get(z.strictObject({ rules: z.array(rule) })),
  'PUT /v2/databases/{cluster}/firewall': send(z.strictObject({ rules: z.array(ruleRequest) }), 204),
  'GET /v2/databases/{cluster}/dbs': get(z.strictObject({ dbs: z.array(z.strictObject({ name: slug })) })),
  'POST /v2/databases/{cluster}/dbs': send(
    z.strictObject({ name: slug }),
    201,
    oneOf('db', z.strictObject({ name: slug })),
  ),
  'GET /v2/domains': list('domains', domain),
  'POST /v2/domains': send(
    z.strictObject({ name: z.string(), ip_address: z.string().optional() }),
    201,
    oneOf('domain', domain),
  ),
  'GET /v2/domains/{domain}': get(oneOf('domain', domain)),
  'DELETE /v2/domains/{domain}': remove,
  'GET /v2/domains/{domain}/records': list('domain_records', record, {
    name: z.string(),
    type: z.string(),
  }),
  'POST /v2/domains/{domain}/records': send(recordRequest, 201, oneOf('domain_record', record)),
  'GET /v2/domains/{domain}/records/{record}': get(oneOf('domain_record', record)),
  'PATCH /v2/domains/{domain}/records/{record}': send(recordChange, 200, oneOf('domain_record', record)),
  'PUT /v2/domains/{domain}/records/{record}': send(recordChange, 200, oneOf('domain_record', record)),
  'DELETE /v2/domains/{domain}/records/{record}': remove,
};

const refusal = z.strictObject({ id: z.string(), message: z.string(), request_id: z.string().optional() });

export interface Match {
  /** `GET /v2/droplets/{droplet}` */
  name: string;
  params: Record<string, string>;
}

const patterns = Object.keys(operations).map((name) => ({
  name,
  pattern: new RegExp(`^${name.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** Fixed paths come before those with parameters. */
export const matched = (call: string): Match | undefined => {
  for (const { name, pattern } of patterns) {
    const found = pattern.exec(call);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, text]) => [key, decodeURIComponent(text)]);
    return { name, params: Object.fromEntries(params) as Record<string, string> };
  }
  return undefined;
};

const problems = (where: string, schema: z.ZodType, value: unknown): string[] => {
  const read = schema.safeParse(value);
  return read.success
    ? []
    : read.error.issues.map(({ path, message }) => `${where} ${path.join('.')} ${message}`);
};

export const requestProblems = ({ name }: Match, query: URLSearchParams, body: unknown): string[] => {
  const { query: parameters, body: schema } = operations[name] ?? {};
  return [
    ...problems(`${name} ?`, parameters ?? z.strictObject({}), Object.fromEntries(query)),
    ...(schema ? problems(`${name} body`, schema, body) : []),
  ];
};

/** Every call may be refused. */
export const answerProblems = ({ name }: Match, status: number, body: unknown): string[] => {
  if (status >= 400) return problems(`${name} ${status}`, refusal, body);
  const { answers = {} } = operations[name] ?? {};
  if (!(status in answers)) return [`${name} does not answer with status ${status}`];
  const schema = answers[status];
  if (schema) return problems(`${name} ${status}`, schema, body);
  return body === undefined ? [] : [`${name} ${status} has no body`];
};
