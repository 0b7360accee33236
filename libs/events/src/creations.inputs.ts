/** What operators enter in the sections of a creation: the schemas of the calls, the forms and the link `q`. */
import { z } from 'zod';
import { clusterName, cloudEngines, machineName, slug } from './cloud.inputs';
import { creationKinds, creationSections, type CreationSection } from './creations.noun';
import { serverName } from './domains.inputs';
import { host } from './host';
import {
  anyText,
  boolean,
  integer,
  messages,
  numericId,
  object,
  oneOf,
  optionalLine,
  optionalText,
  text,
  uuid,
} from './rules';
import { repositoryName, repositoryOwner, repositoryUrl } from './repositories.inputs';
import { refusedPort, repositoryNamed } from './services.noun';

const revision = integer().optional();
const reference = object({ id: uuid });
const MAX_PORT = 65_535;

/** What would be right in place of a port that is none. */
export const expectedPort = (example: number): string =>
  `a port is a number from 1 to ${MAX_PORT}, such as ${example}`;

const port = (example: number) => {
  const error = expectedPort(example);
  return z
    .number({ error: ({ input }) => (input === undefined || input === null ? messages.required : error) })
    .refine(Number.isInteger, { error, abort: true })
    .min(1, { error, abort: true })
    .max(MAX_PORT, { error, abort: true });
};
const servicePort = port(3000).superRefine((value, { addIssue }) => {
  const message = refusedPort(value);
  if (message !== undefined) addIssue({ code: 'custom', message });
});

interface Checked {
  value: Record<string, unknown>;
  issues: z.core.$ZodRawIssue[];
}

/** Either one of `chosen` is given, or all of `needed`. */
const either =
  (chosen: readonly string[], needed: readonly string[]) =>
  ({ value, issues }: Checked): void => {
    const [one, ...others] = chosen.filter((field) => value[field] !== undefined);
    for (const field of others)
      issues.push({
        code: 'custom',
        input: value[field],
        path: [field],
        message: `leave this out, or ${one}: only one of them can be used`,
      });
    if (one !== undefined) return;
    for (const field of needed)
      if (value[field] === undefined || value[field] === '')
        issues.push({ code: 'custom', input: value[field], path: [field], message: messages.required });
  };

/** `product`: one that exists. `structure`: import the starter model. `version`: generate the first version. */
const productSection = object({
  product: reference.optional(),
  name: optionalLine(100),
  description: optionalText(2000),
  structure: boolean.optional(),
  version: boolean.optional(),
}).check(either(['product'], ['name']));

/**
 * `database`: one of the product that exists. `cloudDatabase`: one of the workspace's account at its cloud provider.
 * `create`: a new one there. Otherwise how to connect. `password`: kept in the vault, and never answered.
 */
const databaseSection = object({
  database: reference.optional(),
  cloudDatabase: reference.optional(),
  create: object({ name: clusterName, engine: oneOf(cloudEngines), region: slug, size: slug }).optional(),
  host: host.optional(),
  name: optionalLine(64),
  username: optionalLine(80),
  password: anyText(1000).optional(),
  port: port(3306).optional(),
  dbType: numericId(2).optional(),
  env: numericId(3).optional(),
}).check(either(['database', 'cloudDatabase', 'create'], ['host', 'name', 'username', 'password', 'port']));

/** `fromTemplate`: the parts whose repositories are created. The others exist. */
const repositorySection = object({
  organization: repositoryOwner,
  repo: repositoryName,
  repoFront: optionalLine(100)
    .transform((name) => name && repositoryNamed(name))
    .superRefine((name, { addIssue }) => {
      if (!name) return;
      const [problem] = repositoryName.safeParse(name).error?.issues ?? [];
      if (problem) addIssue({ code: 'custom', message: problem.message });
    }),
  fromTemplate: object({ server: boolean, client: boolean }),
}).check(({ value: { repo, repoFront }, issues }) => {
  if (repoFront?.toLowerCase() === repo.toLowerCase())
    issues.push({
      code: 'custom',
      input: repoFront,
      path: ['repoFront'],
      message: 'the client part needs a repository of its own',
    });
});

/**
 * `server`: one that exists. `droplet`: one of the workspace's account at its cloud provider, which becomes a server.
 * `create`: a new one there. `initialize`: whether a droplet gets nginx, certbot and Docker.
 */
const serverSection = object({
  server: reference.optional(),
  droplet: reference.optional(),
  create: object({
    name: machineName,
    region: slug,
    size: slug,
    image: slug,
    backups: boolean.optional(),
  }).optional(),
  initialize: boolean.optional(),
}).check(either(['server', 'droplet', 'create'], ['server']));

/** `nameFront`, `portFront`: of the client part, if it has a repository. `clientPartOf` has their defaults. */
const serviceSection = object({
  name: text(100),
  nameFront: optionalLine(100),
  port: servicePort,
  portFront: servicePort.optional(),
  withDb: boolean,
}).check(({ value: { name, nameFront, port, portFront }, issues }) => {
  if (nameFront?.toLowerCase() === name.toLowerCase())
    issues.push({
      code: 'custom',
      input: nameFront,
      path: ['nameFront'],
      message: 'the client part needs a name of its own',
    });
  if (port === portFront)
    issues.push({
      code: 'custom',
      input: portFront,
      path: ['portFront'],
      message: 'the client part needs a port of its own',
    });
});

/** `domain`: one that exists on the server. */
const domainSection = object({ domain: reference.optional(), serverName: serverName.optional() }).check(
  either(['domain'], ['serverName']),
);

const deploySection = object({ env: numericId(3) });

/** Without `version`: the newest one. Without `product` and `server`: those of the workspace's settings. */
const repoSection = object({
  repoUrl: repositoryUrl,
  dockerName: optionalLine(100),
  version: optionalLine(100),
  product: reference.optional(),
  server: reference.optional(),
});

const dnsSection = object({
  subdomain: text(63).regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i, {
    error: 'one label is expected, with letters, digits and hyphens: such as shop',
  }),
  port: servicePort,
});

/** By section. */
export const sectionInputs = {
  product: productSection,
  database: databaseSection,
  repository: repositorySection,
  server: serverSection,
  service: serviceSection,
  domain: domainSection,
  deploy: deploySection,
  repo: repoSection,
  dns: dnsSection,
  certificate: object({}),
} satisfies Record<CreationSection, z.ZodType>;

export type SectionValues<S extends CreationSection> = z.output<(typeof sectionInputs)[S]>;

/** Fields that are kept in the vault, by section. */
export const sectionSecrets: Partial<Record<CreationSection, readonly string[]>> = { database: ['password'] };

/** The service of the client part: what is not entered follows from the server part. */
export const clientPartOf = ({
  name = '',
  nameFront,
  port: given = 0,
  portFront,
}: Partial<SectionValues<'service'>> = {}): { name: string; port: number } => ({
  name: nameFront || `${name} client`,
  port: portFront ?? given + 1,
});

/** Why a service of the client part would be refused, by field: the defaults are judged, too. */
export const refusedClientPart = (values: Partial<SectionValues<'service'>>): Record<string, string> => {
  const part = clientPartOf(values);
  const [name] = text(100).safeParse(part.name).error?.issues ?? [];
  const [at] = servicePort.safeParse(part.port).error?.issues ?? [];
  const byDefault = (is: string, why: string): string => `left empty, this is ${is}: ${why}`;
  return {
    ...(name && {
      nameFront: values.nameFront ? name.message : byDefault('the name followed by "client"', name.message),
    }),
    ...(at && {
      portFront: values.portFront === undefined ? byDefault(String(part.port), at.message) : at.message,
    }),
  };
};

const kind = oneOf(creationKinds);
const section = oneOf(creationSections as [CreationSection, ...CreationSection[]]);

/** Of any section. The back end checks them with the schema of their section. */
const values = z.record(z.string().max(50), z.json(), { error: messages.type('object') });

export const creationStart = object({ kind, values });
export const creationList = object({ open: boolean.optional() });
/** `revision`: of the creation, as the operator saw it. */
export const creationSection = object({ id: uuid, section, values, revision });
export const creationStep = object({ id: uuid, section, revision });
/** `name`: of the droplet or cloud database that is deleted at the provider, typed to confirm. */
export const creationUndo = object({ id: uuid, section, revision, name: optionalLine(255) });
/** `sections`: what is entered so far, by section. */
export const creationPlan = object({ kind, sections: z.partialRecord(section, values) });
