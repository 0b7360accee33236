import { requestMethods } from './requests.noun';
import {
  anyText,
  array,
  boolean,
  longText,
  numericId,
  object,
  oneOf,
  optionalText,
  text,
  uuid,
} from './rules';

/** 1 dev, 2 test, 3 prod */
const env = object({ id: numericId(3) });
/** `runId`: chosen by the caller, so that they can watch the run from its beginning. */
const runId = uuid.optional();

/** Values of inputs by their names; secrets are written `{{secret.name}}`. */
export const requestInputs = array(object({ name: text(200), value: anyText(4000) }), 50);

export const requestExecute = object({
  id: uuid,
  env: env.optional(),
  inputs: requestInputs.optional(),
  /** Up to five redirects are followed. */
  follow: boolean.optional(),
  runId,
});
/** The answer that this run received. */
export const requestAnswer = object({ run: uuid });
export const requestPast = object({ id: uuid, checks: longText(4000), days: numericId(400).optional() });
export const requestLogInsert = object({
  data: object({
    request: object({ id: uuid }),
    responseBody: anyText(200_000),
    inputs: anyText(4000).optional(),
  }),
});
export const collectionRun = object({ id: uuid, env: env.optional(), runId });

const MAX_IMPORT = 2_000_000;
export const importPreview = object({ source: oneOf(['curl', 'openapi']), text: longText(MAX_IMPORT) });

const importedParam = object({
  name: text(200),
  /** In the order of the locations: 1 Payload, 2 Headers, 3 Params. */
  location: numericId(3),
  dataType: numericId(5),
  isOptional: boolean,
  value: anyText(4000),
});
/** A request as an import reads it. */
export const importedRequest = object({
  name: text(100),
  method: oneOf(requestMethods),
  host: optionalText(300),
  url: optionalText(2000),
  description: optionalText(2000),
  body: optionalText(20_000),
  params: array(importedParam, 50),
});
export const importRequests = object({
  requests: array(importedRequest, 200),
  collection: object({ id: uuid }).optional(),
});
