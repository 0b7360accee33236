/**
 * The state of the wizard in the link `q`: base64 of JSON with a `database` key, as the specification has it. It only
 * pre-fills forms. Whatever is not listed here is dropped, so neither a secret nor anything else gets in or out.
 */
import type { CreationView } from '@quarterdeck/projections';

/** Characters of `q`. */
const MAX_LENGTH = 8192;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
// oxlint-disable-next-line no-control-regex -- these are what is refused
const UNSHOWN = /[\u0000-\u001f\u007f]|\p{Cs}/u;

type Reader = (value: unknown) => unknown;

const line =
  (max: number): Reader =>
  (value) =>
    typeof value === 'string' && value.length <= max && !UNSHOWN.test(value) ? value : undefined;
/** Names of the provider and of the source host. They have no other characters, which keeps the link short. */
const token =
  (max: number): Reader =>
  (value) =>
    typeof value === 'string' && value.length <= max && /^[\w.-]*$/.test(value) ? value : undefined;
const id: Reader = (value) => (typeof value === 'string' && UUID.test(value) ? value : undefined);
const port: Reader = (value) =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= 65_535 ? value : undefined;
const flag: Reader = (value) => (typeof value === 'boolean' ? value : undefined);
const one =
  (max: number): Reader =>
  (value) =>
    Number.isInteger(value) && Number(value) > 0 && Number(value) <= max ? value : undefined;

const fields =
  (readers: Readonly<Record<string, Reader>>): Reader =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const given = Object.entries(readers).flatMap(([key, read]) => {
      const found = Object.hasOwn(value, key) ? read((value as Record<string, unknown>)[key]) : undefined;
      return found === undefined ? [] : [[key, found] as const];
    });
    return Object.fromEntries(given);
  };

const both = fields({ server: id, client: id });

/** What is created at the cloud provider. */
const slug = token(100);
const created = { name: token(63), region: slug, size: slug };

/** Every field of the wizard state. */
const read = fields({
  name: line(100),
  productId: id,
  versionId: id,
  database: fields({
    host: line(253),
    name: line(64),
    username: line(80),
    port,
    dbType: one(2),
    env: one(3),
    create: fields({ ...created, engine: slug }),
  }),
  databaseId: id,
  instance: fields({ uuid: id, name: line(100) }),
  ghRepo: fields({
    organization: slug,
    repo: slug,
    repoFront: slug,
    fromTemplate: fields({ server: flag, client: flag }),
  }),
  repoIds: both,
  server: fields({ id, create: fields({ ...created, image: slug, backups: flag }), initialize: flag }),
  service: fields({ name: line(100), nameFront: line(100), port, portFront: port, withDb: flag }),
  serviceIds: both,
  domain: line(253),
  domainId: id,
});

interface Created {
  name?: string;
  region?: string;
  size?: string;
}

export interface WizardState {
  name?: string;
  productId?: string;
  versionId?: string;
  database: {
    host?: string;
    name?: string;
    username?: string;
    port?: number;
    dbType?: number;
    env?: number;
    create?: Created & { engine?: string };
  };
  databaseId?: string;
  instance?: { uuid?: string; name?: string };
  ghRepo?: {
    organization?: string;
    repo?: string;
    repoFront?: string;
    fromTemplate?: { server?: boolean; client?: boolean };
  };
  repoIds?: { server?: string; client?: string };
  server?: { id?: string; create?: Created & { image?: string; backups?: boolean }; initialize?: boolean };
  service?: { name?: string; nameFront?: string; port?: number; portFront?: number; withDb?: boolean };
  serviceIds?: { server?: string; client?: string };
  domain?: string;
  domainId?: string;
}

export const defaults: WizardState = { database: {} };

const picked = (value: unknown): WizardState => ({ database: {}, ...(read(value) as object) });

/** Defaults, unless it decodes to an object with a `database` key. Never throws. */
export const decoded = (q: string | null | undefined): WizardState => {
  if (!q || q.length > MAX_LENGTH) return defaults;
  try {
    const bytes = Uint8Array.from(atob(q.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'database')) return defaults;
    return picked(value);
  } catch {
    return defaults;
  }
};

/** For the address: base64 without the characters that an address has to escape. */
export const encoded = (state: WizardState): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(picked(state)));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

type Values = Record<string, unknown>;
type Entered = Readonly<Record<string, Values | undefined>>;

const idIn = (value: unknown): string | undefined => (value as { id?: string } | undefined)?.id;

/** The state of a creation, with what is being entered. */
export const stateOf = (
  creation: Pick<CreationView, 'sections'> | undefined,
  drafts: Entered,
): WizardState => {
  const sections = creation?.sections ?? [];
  const values = (name: string): Values =>
    drafts[name] ?? (sections.find(({ section }) => section === name)?.values as Values | undefined) ?? {};
  const made = (name: string, kind: string, at = 0): string | undefined =>
    sections.find(({ section }) => section === name)?.made.filter((one) => one.kind === kind)[at]?.id;
  const [product, database, server, domain] = [
    values('product'),
    values('database'),
    values('server'),
    values('domain'),
  ];
  return picked({
    name: product['name'],
    productId: idIn(product['product']) ?? made('product', 'product'),
    versionId: made('product', 'version'),
    database,
    databaseId: idIn(database['database']) ?? made('database', 'database'),
    // The specification fixes its name. Its id is derived from the product.
    instance: { name: 'main' },
    ghRepo: values('repository'),
    repoIds: { server: made('repository', 'repository'), client: made('repository', 'repository', 1) },
    server: { ...server, id: idIn(server['server']) },
    service: values('service'),
    serviceIds: { server: made('service', 'service'), client: made('service', 'client') },
    domain: domain['serverName'],
    domainId: idIn(domain['domain']) ?? made('domain', 'domain'),
  });
};
