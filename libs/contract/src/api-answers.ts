/** What the calls about generated APIs answer. */
import { instantPlace } from '@quarterdeck/projections';
import { z } from 'zod';

export const problem = z.strictObject({
  endpoint: z.strictObject({ uuid: z.string(), method: z.string(), path: z.string() }),
  /** `blocks.0.filters.id` */
  field: z.string(),
  says: z.string(),
});
export interface EndpointProblem extends z.infer<typeof problem> {}

const change = z.strictObject({
  isBreaking: z.boolean(),
  /** `GET /orders/:id` */
  endpoint: z.string(),
  /** One sentence, without a full stop. */
  message: z.string(),
});
export const changes = z
  .strictObject({
    from: instantPlace,
    to: instantPlace,
    /** Breaking ones first. */
    changes: z.array(change),
    /** Changes that are left out, because there are too many. */
    more: z.int().nonnegative(),
  })
  .meta({ id: 'ApiChanges' });
export interface ApiChanges extends z.infer<typeof changes> {}

const difference = z.strictObject({
  /** `[].name` is the name of each item, `[0].name` that of the first one. Empty: the answer itself. */
  path: z.string(),
  before: z.string(),
  after: z.string(),
});
const replayedSide = z.strictObject({ status: z.int(), ms: z.number() });
const replayedRequest = z.strictObject({
  /** `GET /orders?status=…`: without the values of its query. */
  request: z.string(),
  /** Permission of the caller, or `nobody`. */
  as: z.string(),
  /** By the present definition. */
  before: replayedSide,
  /** By the changed one. */
  after: replayedSide,
  /** Fields that only one of the answers has, and those whose types differ. At most 10. */
  shape: z.array(difference),
  /** The first value that differs. */
  value: difference.optional(),
  /** Why it proves nothing. Absent: it does. */
  unproven: z.string().optional(),
});
export interface ReplayedRequest extends z.infer<typeof replayedRequest> {}
export const replay = z
  .strictObject({
    /** `same`: each request proves it. `partly`: some do, and none is answered differently. */
    verdict: z.enum(['same', 'partly', 'differs', 'unproven']),
    /** Sentences. */
    message: z.string(),
    requests: z.array(replayedRequest),
  })
  .meta({ id: 'ApiReplay' });
export interface ApiReplay extends z.infer<typeof replay> {}

export const model = z.strictObject({
  /** Of the product's database in this environment. */
  dialect: z.enum(['mysql', 'postgresql']),
  entities: z.array(z.record(z.string(), z.unknown())),
  optionSets: z.array(z.record(z.string(), z.unknown())),
});

const count = z.int().nonnegative();
const endpointTraffic = z.strictObject({
  /** Its id, perhaps of one that was removed. Empty: requests for which there was no endpoint. */
  endpoint: z.string(),
  requests: count,
  /** Answers from 400 to 499. */
  refused: count,
  /** Answers from 500. */
  failed: count,
  /** Milliseconds within which half of the requests were answered, and 99 of 100. */
  p50: z.number(),
  p99: z.number(),
  /** Requests that are kept for a replay. */
  samples: count,
});

const sampledRequest = z.strictObject({
  at: z.string(),
  endpoint: z.string(),
  method: z.string(),
  /** Without the query. */
  path: z.string(),
  status: z.int(),
  ms: z.number(),
  /** Of the answer. */
  bytes: count,
  /** Position of the definition that answered. */
  definition: z.string(),
  /** What the caller was told, if it was refused. */
  message: z.string().optional(),
  /** What snippets logged. */
  logs: z.array(z.string()).optional(),
});
export interface SampledRequest extends z.infer<typeof sampledRequest> {}

/** Of one console process, since it began to count. */
/** One address at which an instance answers. An endpoint's path follows. */
export const address = z
  .strictObject({
    instance: z.strictObject({ uuid: z.string(), name: z.string() }),
    product: z.strictObject({ id: z.string() }),
    title: z.string(),
    address: z.string(),
    /** Through the console, or on a port of its own. */
    through: z.enum(['console', 'port']),
  })
  .meta({ id: 'ApiAddress' });
export interface ApiAddress extends z.infer<typeof address> {}

export const traffic = z
  .strictObject({
    /** When counting began, at most seven days ago. Absent: there were no requests. */
    since: z.string().optional(),
    /** A port of its own, if it has one. `problem`: why nobody answers there, in this console process. */
    port: z.strictObject({ host: z.string(), port: z.int(), problem: z.string().optional() }).optional(),
    endpoints: z.array(endpointTraffic),
    /** Newest first. */
    requests: z.array(sampledRequest),
  })
  .meta({ id: 'ApiTraffic' });
export interface ApiTraffic extends z.infer<typeof traffic> {}

export const tried = z.strictObject({
  status: z.int(),
  /** Those that matter: `x-definition`, `retry-after`, `www-authenticate`. */
  headers: z.record(z.string(), z.string()),
  /** JSON, perhaps only its beginning. */
  body: z.string(),
  isCut: z.boolean(),
  ms: z.number(),
});
export interface TriedEndpoint extends z.infer<typeof tried> {}
