/** What the calls about domains, their locations and their configuration accept; the forms use the same schemas. */
import { URL } from 'whatwg-url';
import { z } from 'zod';
import { boolean, integer, numericId, object, oneOf, optionalText, text, uuid } from './rules';
import {
  isLocationPath,
  isLocationPattern,
  isRedirectCode,
  isRedirectTarget,
  isServedFolder,
  isServerName,
  isTimeout,
  isUpstream,
  MAX_SERVER_NAME,
  partsOfUpstream,
  siteErrors,
} from './site-grammar';

/** `Bücher.Example.` becomes `xn--bcher-kva.example`: what DNS and nginx compare. */
export const asciiName = (name: string): string => {
  const plain = name.trim().replace(/\.$/, '');
  const address = `http://${plain}/`;
  if (/[/@:?#\s\\]/.test(plain) || !URL.canParse(address)) return plain.toLowerCase();
  return new URL(address).hostname;
};

/** Its length counts in ASCII. */
const serverName = text(2000)
  .transform(asciiName)
  .refine((name) => name.length <= MAX_SERVER_NAME, { error: siteErrors.serverNameLength, abort: true })
  .refine(isServerName, { error: siteErrors.serverName });

const server = object({ id: uuid });
const domain = object({ id: uuid });

/** `runId`: chosen by the caller, who can then watch from the first byte; the same id again joins the same run. */
const runId = uuid.optional();
const revision = integer().optional();

const fields = { serverName, server };
export const domainInsert = object(fields);
/** The form's part of `domainInsert` and `domainUpdate`. */
export const domainEdit = object(fields);
export const domainUpdate = object({ data: object(fields), filters: object({ id: uuid }), revision });
/** `serverName`: what the operator typed to confirm. `keep`: what stays on the server by choice. */
export const domainDelete = object({
  id: uuid,
  serverName: optionalText(253),
  keep: object({ config: boolean, certificate: boolean }).optional(),
  runId,
});
export const domainsByServer = object({ server });

export const locationMatches = ['prefix', 'exact', 'regex'] as const;

const locationFields = {
  location: text(1024),
  match: oneOf(locationMatches).optional(),
  url: text(1024).optional(),
  deployLog: object({ id: uuid }).optional(),
  /** 1 dev, 2 test, 3 prod. */
  env: numericId(3).optional(),
  isRedirect: boolean.optional(),
  redirectCode: numericId(399).refine(isRedirectCode, { error: siteErrors.redirectCode }).optional(),
  is404: boolean.optional(),
  volumes: text(1024).refine(isServedFolder, { error: siteErrors.servedFolder }).optional(),
  isCorsEnabled: boolean.optional(),
  /** In seconds. */
  timeout: numericId(86_400).refine(isTimeout, { error: siteErrors.timeout }).optional(),
  websocket: boolean.optional(),
};

/** What depends on more than one field. */
const consistent = (
  data: {
    location: string;
    match?: string | undefined;
    url?: string | undefined;
    isRedirect?: boolean | undefined;
    is404?: boolean | undefined;
  },
  issues: z.core.$ZodRawIssue[],
): void => {
  const wrong = (field: string, message: string): void =>
    void issues.push({ code: 'custom', message, path: [field], input: data });
  const regex = data.match === 'regex';
  if (regex ? !isLocationPattern(data.location) : !isLocationPath(data.location))
    wrong('location', regex ? siteErrors.locationPattern : siteErrors.locationPath);
  if (data.isRedirect && data.is404) wrong('is404', 'a location either redirects or answers 404');
  if (data.is404) return;
  if (data.isRedirect) {
    if (data.url === undefined || !isRedirectTarget(data.url)) wrong('url', siteErrors.redirectTarget);
  } else if (data.url !== undefined) {
    if (!isUpstream(data.url)) wrong('url', siteErrors.upstream);
    else if (regex && partsOfUpstream(data.url)?.path) wrong('url', siteErrors.patternUpstream);
  }
};

/** A location as an operator enters it. */
export const locationEdit = object(locationFields).check(({ value, issues }) => consistent(value, issues));

/** `location`: left out, what is not given stays as it is; otherwise it is no longer asked for. */
const locationChange = object({ ...locationFields, location: locationFields.location.optional() }).check(
  ({ value: { location, ...more }, issues }) => {
    if (location !== undefined) consistent({ ...more, location }, issues);
  },
);

export const locationList = object({ domain });
export const locationInsert = object({ domain, data: locationEdit, revision });
/** `id`: of the location. */
export const locationUpdate = object({ data: locationChange, filters: object({ id: uuid }), revision });
export const locationsByService = object({ service: object({ id: uuid }) });
/** The last lines, and what comes within `seconds`. */
export const locationLogs = object({
  id: uuid,
  lines: numericId(10_000).optional(),
  seconds: integer(3600).optional(),
  runId,
});
export const locationInspect = object({ id: uuid, runId });

export const siteOptions = object({ docker: boolean, ssl: boolean, gzip: boolean });

/** `draft`: a location that is being edited, new without an id. */
export const siteGenerate = object({
  id: uuid,
  options: siteOptions.optional(),
  draft: object({ id: uuid.optional(), data: locationEdit }).optional(),
});
/** `overwrite`: what was found on the server in place of ours, by its SHA-256 (`-` for no file), and may go. `seen`: the text that was looked at, by its SHA-256; no other one goes live. */
export const siteExec = object({
  id: uuid,
  options: siteOptions.optional(),
  seen: text(64).optional(),
  overwrite: text(64).optional(),
  runId,
});
export const siteRestore = object({ id: uuid, sha256: text(64), overwrite: text(64).optional(), runId });
export const siteAdopt = object({ id: uuid, sha256: text(64) });
export const siteLook = object({ id: uuid, runId });
