/** Answers of the calls about cloud providers. */
import { cloudAccountView, cloudDatabaseView } from '@quarterdeck/projections';
import { z } from 'zod';

/** What the last look at the provider said. */
export const seen = {
  /** When all lists were last read. Absent: never. */
  seenAt: z.string().optional(),
  /** Why the last look failed. */
  problem: z.string().optional(),
  /** Calls of the account in an hour. */
  limits: z.strictObject({ limit: z.int(), remaining: z.int(), resetAt: z.string() }).optional(),
};

export const state = z
  .strictObject({
    exists: z.boolean(),
    account: cloudAccountView.optional(),
    /** Whether signing in at the provider is set up; a personal token always works. */
    canSignIn: z.boolean(),
    /** The provider's page where people create tokens. */
    tokenPage: z.string(),
    ...seen,
  })
  .meta({ id: 'CloudState' });

const size = z.strictObject({
  slug: z.string(),
  description: z.string(),
  memory: z.int(),
  vcpus: z.int(),
  disk: z.int(),
  priceMonthly: z.number(),
  priceHourly: z.number(),
  regions: z.array(z.string()),
});
export const options = z
  .strictObject({
    regions: z.array(z.strictObject({ slug: z.string(), name: z.string() })),
    sizes: z.array(size),
    images: z.array(z.strictObject({ slug: z.string(), name: z.string(), distribution: z.string() })),
    defaults: z.strictObject({ region: z.string(), size: z.string(), image: z.string() }),
  })
  .meta({ id: 'DropletOptions' });

const masked = z.strictObject({
  host: z.string(),
  database: z.string(),
  /** Absent if the token may not see it. */
  user: z.string().optional(),
  /** Seven asterisks: `databases/password` shows it. */
  password: z.string(),
  port: z.int(),
});
/** In the specification's words, with the fields of the read model. */
export const listedDatabase = cloudDatabaseView
  .omit({ connection: true, dbNames: true, createdAt: true })
  .extend({
    created_at: z.string(),
    db_names: z.array(z.string()).optional(),
    connection: masked.optional(),
  })
  .meta({ id: 'ListedCloudDatabase' });

export const record = z.strictObject({
  record: z.int(),
  type: z.string(),
  /** Whole name. */
  host: z.string(),
  name: z.string(),
  data: z.string(),
  ttl: z.int(),
  priority: z.int().optional(),
});
export const listedDomain = z
  .strictObject({
    name: z.string(),
    ttl: z.int().optional(),
    zone_file: z.string().optional(),
    /** The domain's page at the provider. */
    url: z.string(),
    /** A records of the zone file. */
    records: z.array(z.strictObject({ host: z.string(), ttl: z.int(), ip: z.string() })),
  })
  .meta({ id: 'CloudDomain' });

export const resolved = z
  .strictObject({
    host: z.string(),
    /** What the zone says. */
    expected: z.array(z.string()),
    /** What the resolvers of the workspace say. */
    resolved: z.array(z.string()),
    same: z.boolean(),
    /** Why the name could not be looked up. */
    problem: z.string().optional(),
  })
  .meta({ id: 'ResolvedRecord' });

const named = z.strictObject({ id: z.string(), name: z.string() });
export const orphans = z
  .strictObject({
    /** Droplets of the account that no server of the workspace knows. `run`: the run that left it, if it has ended. */
    droplets: z.array(
      named.extend({ ip: z.string().optional(), priceMonthly: z.number(), run: z.string().optional() }),
    ),
    /** Servers whose droplet is no longer in the account. */
    servers: z.array(named.extend({ droplet: z.string(), goneAt: z.string() })),
    /** SSH keys at the provider that a run has left there. */
    keys: z.array(
      z.strictObject({ key: z.int(), name: z.string(), fingerprint: z.string(), run: z.string() }),
    ),
    /** Databases that a run has left behind. */
    databases: z.array(named.extend({ run: z.string() })),
  })
  .meta({ id: 'CloudOrphans' });

export const costs = z
  .strictObject({
    month: z.string(),
    /** USD, without taxes, traffic and backups. */
    total: z.number(),
    products: z.array(
      z.strictObject({
        /** Absent: machines that belong to no product. */
        product: z.string().optional(),
        /** Of a product that was deleted, the last one. */
        name: z.string().optional(),
        /** The product was deleted. */
        gone: z.boolean(),
        amount: z.number(),
        droplets: z.array(named.extend({ amount: z.number(), gone: z.boolean() })),
      }),
    ),
  })
  .meta({ id: 'CloudCosts' });
