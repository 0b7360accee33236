/**
 * Input schemas of the calls about domains, their locations and their configuration. The forms use the same schemas.
 */
import { URL } from 'whatwg-url';
import { z } from 'zod';
import { pastedWith } from './host';
import { listPageWithin } from './lists.inputs';
import { isMonth } from './month';
import { array, boolean, integer, numericId, object, oneOf, optionalText, text, uuid } from './rules';
import { serviceReference } from './service-reference';
import {
  isLocationPath,
  isLocationPattern,
  isRedirectCode,
  isRedirectTarget,
  isServedFolder,
  isSiteName,
  isTimeout,
  isUpstream,
  MAX_SERVER_NAME,
  nameOnDisk,
  partsOfUpstream,
  siteErrors,
} from './site-grammar';
import { changedFields, givenFields, locationSettings, siteSettings } from './site-settings';

/** `Bücher.Example.` becomes `xn--bcher-kva.example`, the form that DNS and nginx compare. */
export const asciiName = (name: string): string => {
  const plain = name.trim().replace(/\.$/, '');
  const address = `http://${plain}/`;
  if (/[/@:?#\s\\]/.test(plain) || !URL.canParse(address)) return plain.toLowerCase();
  return new URL(address).hostname;
};

const notOneName = (typed: string): string | undefined => {
  if (/^[^:]+:\d+$/.test(typed)) return 'enter the name alone, without a port';
  return typed.includes('@') ? 'enter the name alone, without a user name' : undefined;
};

/** The limit applies to the ASCII form. */
export const serverName = text(2000)
  .superRefine((typed, context) => {
    const message = pastedWith(typed, 'name') ?? notOneName(typed);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform(asciiName)
  .refine((name) => nameOnDisk(name).length <= MAX_SERVER_NAME, {
    error: siteErrors.serverNameLength,
    abort: true,
  })
  .refine(isSiteName, { error: siteErrors.displayName });

const server = object({ id: uuid });
const domain = object({ id: uuid });

/**
 * `runId`: chosen by the caller, so that they can watch the run from its first byte. The same id again joins the same
 * run.
 */
const runId = uuid.optional();
const revision = integer().optional();

const fields = { serverName, server };
export const domainInsert = object(fields);
/** Form schema of `domainInsert` and `domainUpdate`. */
export const domainEdit = object({ ...fields, leave: boolean.optional() });
/** `leave`: what the domain has on its server stays there, because the server may be gone. */
export const domainUpdate = object({ data: domainEdit, filters: object({ id: uuid }), revision });
/** The name and the server that the domain had when it left the files there. */
export const domainLeftRemove = object({ id: uuid, serverName, server, runId });
/** `serverName`: typed by the operator as confirmation. `keep`: what to leave on the server. */
export const domainDelete = object({
  id: uuid,
  serverName: optionalText(253),
  keep: object({ config: boolean, certificate: boolean }).optional(),
  runId,
});
export const domainsByServer = object({ server });
export const domainPageByServer = listPageWithin({ server });

/** Without `month`: the current month. */
export const domainExpiries = object({
  month: text(7).refine(isMonth, { error: 'a month is expected, such as 2026-12' }).optional(),
});

export const locationMatches = ['prefix', 'exact', 'regex'] as const;

const locationFields = {
  location: text(1024),
  match: oneOf(locationMatches).optional(),
  url: text(1024).optional(),
  deployLog: object({ id: uuid }).optional(),
  service: object({ id: uuid }).optional(),
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
  ...givenFields(locationSettings),
};

/** Rules about more than one field. */
const consistent = (
  data: {
    location: string;
    match?: string | undefined;
    url?: string | undefined;
    isRedirect?: boolean | undefined;
    is404?: boolean | undefined;
    singlePage?: boolean | undefined;
  },
  issues: z.core.$ZodRawIssue[],
): void => {
  const wrong = (field: string, message: string): void =>
    void issues.push({ code: 'custom', message, path: [field], input: data });
  const regex = data.match === 'regex';
  if (regex ? !isLocationPattern(data.location) : !isLocationPath(data.location))
    wrong('location', regex ? siteErrors.locationPattern : siteErrors.locationPath);
  if (data.singlePage && (data.match ?? 'prefix') !== 'prefix') wrong('singlePage', siteErrors.singlePage);
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

const cleared = <S extends z.ZodType>(field: S) => field.nullable().optional();

/**
 * A change of a location: omitted fields keep their values, and null clears a field. The call checks consistency
 * after merging the change with the kept fields.
 */
const locationChange = object({
  location: locationFields.location.optional(),
  match: cleared(locationFields.match),
  url: cleared(locationFields.url),
  deployLog: cleared(locationFields.deployLog),
  service: cleared(locationFields.service),
  env: cleared(locationFields.env),
  isRedirect: cleared(locationFields.isRedirect),
  redirectCode: cleared(locationFields.redirectCode),
  is404: cleared(locationFields.is404),
  volumes: cleared(locationFields.volumes),
  isCorsEnabled: cleared(locationFields.isCorsEnabled),
  timeout: cleared(locationFields.timeout),
  websocket: cleared(locationFields.websocket),
  ...changedFields(locationSettings),
});

/** Form schema of `siteSettingsChange`. */
export const siteSettingsEdit = object(givenFields(siteSettings));
/** All settings of a site: one that is not given gets its default. */
export const siteSettingsChange = object({ id: uuid, settings: siteSettingsEdit, revision });

/** How many other names one site may have. */
const MAX_SITE_NAMES = 40;

const siteNameEdit = object({ name: serverName, does: oneOf(['serves', 'redirects']) });

/** Form schema of `siteNamesChange`. */
export const siteNamesEdit = object({
  names: array(siteNameEdit, MAX_SITE_NAMES).check(({ value, issues }) => {
    for (const [index, { name }] of value.entries())
      if (value.findIndex((other) => other.name === name) < index)
        issues.push({
          code: 'custom',
          input: value,
          path: [index, 'name'],
          message: 'this name is in the list already',
        });
  }),
});
/** All other names of a site. `redirects`: to the main name. */
export const siteNamesChange = object({ id: uuid, ...siteNamesEdit.shape, revision });

export const locationList = object({ domain });
export const locationInsert = object({ domain, data: locationEdit, revision });
/** `id`: the location. */
export const locationUpdate = object({ data: locationChange, filters: object({ id: uuid }), revision });
export const locationsByService = object({ service: serviceReference });
/** The last lines of the log, and the lines that follow within `seconds`. */
export const locationLogs = object({
  id: uuid,
  lines: numericId(10_000).optional(),
  seconds: integer(3600).optional(),
  runId,
});
export const locationInspect = object({ id: uuid, runId });

export const siteOptions = object({ docker: boolean, ssl: boolean, gzip: boolean });

/**
 * What becomes of a certificate that certbot already has under the domain's name. `adopt`: it is used as it is; `webroot`:
 * the folder in which its owner proves the name. `own`: the console orders another one beside it.
 */
export const chosenLineage = object({
  take: z.enum(['adopt', 'own'], { error: 'adopt or own is expected' }),
  webroot: text(1024).refine(isServedFolder, { error: siteErrors.servedFolder }).optional(),
});

/** `draft`: a location that is being edited. It has no id if it is new. */
export const siteGenerate = object({
  id: uuid,
  options: siteOptions.optional(),
  draft: object({ id: uuid.optional(), data: locationEdit }).optional(),
  lineage: chosenLineage.optional(),
});
/**
 * `overwrite`: SHA-256 of a foreign file on the server that may be overwritten, `-` for no file. `seen`: SHA-256 of the
 * text that the operator reviewed; no other text goes live.
 */
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
