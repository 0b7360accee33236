/** Environment variables of services, and the tokens with which running apps read their own variables. */
import {
  byId,
  optionalText,
  uuid,
  variableExport,
  variableImport,
  variableInsert,
  variableList,
  variableOfService,
  variablePreview,
  variableUpdate,
} from '@quarterdeck/events/inputs';
import { appTokenView, variableView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, seen } from './demo';
import { ofService, unfiltered, withProduct } from './specified';

const line = z.strictObject({ key: z.string(), secret: z.boolean() });
const changes = { added: z.array(line), changed: z.array(line), removed: z.array(line) };

const preview = z
  .strictObject({
    ...changes,
    unchanged: z.int(),
    /** What `line` counts: lines of the text, or entries of the JSON array. */
    unit: z.enum(['line', 'entry']),
    /** Each variable of the text. `note`: what is unusual about its line, each point on a line. */
    lines: z.array(
      z.strictObject({
        line: z.int(),
        key: z.string(),
        secret: z.boolean(),
        /** The first 200 characters of a plain value. */
        value: z.string().optional(),
        note: z.string().optional(),
        leftOut: z.boolean(),
      }),
    ),
    /** Lines that are no variable. An import after a preview leaves them out. */
    unread: z.array(z.strictObject({ line: z.int(), key: z.string().optional(), problem: z.string() })),
    /** Hash of what the import would do. Send it back to make sure that exactly this is done. */
    seen: z.string(),
  })
  .meta({ id: 'VariableImportPreview' });

const values = {
  envVars: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  /**
   * The same variables as lines of a `.env` file. A comment names readers that would not get a value. A variable that no
   * line can hold without harm to others is left out, with a comment.
   */
  lines: z.string(),
};

const issued = z
  .strictObject({ id: z.string(), token: z.string(), expiresAt: z.string().optional(), ...values })
  .meta({ id: 'VariableExport' });

const reads = { asOf: true, wide: true } as const;
/** A million characters of a file, each with its JSON escapes. */
const importing = { maxBodyBytes: 4 * 1024 * 1024 };
const changing = { stales: 'variables', wide: true } as const;

const ofShop = { product: { id: demo.product }, service: { id: demo.service }, env: 1 } as const;
const variable = { key: 'LOG_LEVEL', value: 'info', env: { id: 1 }, secret: true } as const;
const imported = { ...ofShop, content: 'LOG_LEVEL=info', removeOthers: true, secrets: ['TOKEN'] } as const;

export const variables = calls('env-var', 'admin', {
  list: {
    summary: 'The variables of a service, or of one of its environments, by key; secrets as asterisks',
    input: variableList,
    example: { product: { id: demo.product }, service: { deploy: { id: demo.service } }, env: 1 },
    answer: z.array(variableView),
    shows: ['variables', 'services'],
    ...reads,
  },
  detail: {
    summary: 'One variable',
    input: byId,
    example: { id: demo.variable },
    answer: variableView,
    shows: ['variables', 'services'],
    ...reads,
  },
  prints: {
    summary: 'The variables of a service in a deploy made now: names and fingerprints',
    input: variableExport,
    example: ofShop,
    answer: z.array(z.strictObject({ key: z.string(), secret: z.boolean(), fingerprint: z.string() })),
    shows: ['variables', 'services', 'databases'],
    wide: true,
  },
  insert: {
    summary: 'Adds a variable to a service',
    input: variableInsert,
    example: { data: variable, product: { id: demo.product }, serviceDeploy: { id: demo.service } },
    specified: (body) => withProduct(ofService(body)),
    answer: ids,
    ...changing,
  },
  update: {
    summary: 'Changes a variable; without a value the present one stays',
    input: variableUpdate,
    example: { id: demo.variable, data: variable, revision: 3 },
    specified: unfiltered,
    answer: ids,
    ...changing,
  },
  delete: {
    summary:
      'Removes a variable and destroys a secret value; deploys keep theirs: `deploy/release/value/list`',
    input: byId,
    example: { id: demo.variable },
    answer: ids,
    ...changing,
  },
  reveal: {
    summary: 'Shows the value of a secret variable, and records that',
    input: byId,
    example: { id: demo.variable },
    answer: z.strictObject({ value: z.string() }),
    stales: [],
    receipt: false,
  },
  preview: {
    summary: 'What an import would add, change and remove',
    path: 'import/preview',
    costs: 'work',
    ...importing,
    input: variablePreview,
    example: imported,
    answer: preview,
    stales: [],
    receipt: false,
  },
  import: {
    summary: 'Imports variables from JSON or from lines of a `.env` file, as one event',
    costs: 'work',
    input: variableImport,
    example: { ...imported, seen },
    answer: z.strictObject({ ...ids.shape, msg: z.string(), ...changes }),
    ...changing,
    ...importing,
  },
  generateExport: {
    summary: 'All variables of an environment with their values, and a token that reads them for an hour',
    path: 'generate-export',
    costs: 'work',
    input: variableExport,
    example: ofShop,
    answer: issued,
    stales: 'appTokens',
    wide: true,
    receipt: false,
  },
  getAppToken: {
    summary: 'A token by which a running app reads its own variables until it is revoked; shown once',
    path: 'get-app-token',
    input: variableExport,
    example: { ...ofShop, env: { id: 3 } },
    answer: issued,
    stales: 'appTokens',
    wide: true,
    receipt: false,
  },
  tokens: {
    summary: 'The tokens of a service that are not revoked, newest first',
    path: 'token/list',
    input: variableOfService,
    example: { product: { id: demo.product }, service: { id: demo.service } },
    answer: z.array(appTokenView.extend({ uses: z.int().optional() })),
    shows: ['appTokens', 'services'],
    ...reads,
  },
  revoke: {
    summary: 'Revokes a token',
    path: 'token/revoke',
    input: byId,
    example: { id: demo.appToken },
    answer: ids,
    stales: 'appTokens',
  },
  own: {
    summary: 'The variables of the running app that sends its token as `Authorization: Bearer`',
    access: 'public',
    method: 'GET',
    input: z.object({
      /** The service that the app claims to be. A token of another service or environment is refused. */
      service: uuid.optional(),
      env: optionalText(4)
        .transform((env) =>
          env === undefined ? undefined : ({ dev: 1, test: 2, prod: 3 }[env] ?? Number(env)),
        )
        .pipe(z.int().min(1).max(3).optional()),
    }),
    example: { service: demo.service, env: 'prod' },
    answer: z.strictObject({
      service: z.strictObject({ id: z.string(), name: z.string() }),
      env: z.strictObject({ id: z.int() }),
      ...values,
    }),
    shows: [],
  },
});
