/**
 * Looks at a site over the network as a visitor does: by its name, at its server's address. The site proves that it is
 * ours, over HTTPS too if it has that, and each of its apps is asked once.
 */
import type { LocationView } from '@quarterdeck/projections';
import type { SiteAnswer } from '../domains';
import { askedName } from '../dns';
import { DomainError } from '../platform/errors';
import { callOut, type Outbound, OutboundRefused } from '../platform/outbound';
import { PROOF_PATH, proofOf } from './site-model';

export interface LookedSite {
  serverName: string;
  /** Registered address of the server. */
  host: string;
  ssl: boolean;
  /** The live configuration answers with the proof: it was written since there is one, and not changed by hand. */
  proves: boolean;
  /** Paths that are passed to an app. */
  apps: readonly string[];
}

const TIMEOUT_MS = 10_000;
/** A proof is 32 bytes long. */
const MAX_BYTES = 4096;
/** Each is a request to an app of somebody. */
const MAX_APPS = 4;
/** What nginx answers itself if an app does not. */
const GATEWAY = new Set([502, 504]);

type Passing = Pick<LocationView, 'location' | 'match' | 'url' | 'isRedirect' | 'is404'>;

/** Pure. A pattern has no path to ask for. */
export const appsOf = (locations: readonly Passing[]): string[] =>
  locations
    .filter(
      ({ match, url, isRedirect, is404 }) => match !== 'regex' && url !== undefined && !isRedirect && !is404,
    )
    .map(({ location }) => location)
    .slice(0, MAX_APPS);

export const lookedSite = (
  { serverName, host, ssl }: Pick<LookedSite, 'serverName' | 'host' | 'ssl'>,
  text: string,
  locations: readonly Passing[],
): LookedSite => ({
  ...{ serverName, host, ssl },
  proves: text.includes(proofOf(serverName)),
  apps: appsOf(locations),
});

type Asked = { status: number; text: string } | { silent: string };

interface Question {
  path: string;
  tls: boolean;
  headersOnly?: true;
}

const ask = async (
  outbound: Outbound,
  { serverName, host }: LookedSite,
  { path, tls, ...how }: Question,
  signal: AbortSignal,
): Promise<Asked> => {
  try {
    const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}${path}`;
    const headers = { host: askedName(serverName) };
    return await callOut(outbound, {
      ...{ url, headers, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, anyCertificate: true },
      ...how,
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof DomainError) || error instanceof OutboundRefused) throw error;
    // Something answered, and not with a proof.
    return error.detail.code === 'ETOOBIG' ? { status: 200, text: '' } : { silent: error.msg };
  }
};

/** @throws OutboundRefused if this console may not call the server: then nobody has looked */
export const lookAtSite = async (
  outbound: Outbound,
  site: LookedSite,
  signal: AbortSignal,
): Promise<SiteAnswer> => {
  const { serverName, ssl, proves, apps } = site;
  const proof = proofOf(serverName);
  let says = '';
  for (const tls of ssl ? [false, true] : [false]) {
    const where = `${tls ? 'https' : 'http'}://${serverName}`;
    const asked = await ask(outbound, site, { path: PROOF_PATH, tls }, signal);
    if ('silent' in asked) return { is: tls ? 'tlsGone' : 'silent', says: asked.silent };
    says = `${where} answers`;
    if (proves && !(asked.status === 200 && asked.text.trim() === proof))
      return { is: 'another', says: `${where} answers ${asked.status} without the proof of this site` };
  }
  for (const path of apps) {
    const where = `${ssl ? 'https' : 'http'}://${serverName}${path}`;
    const asked = await ask(outbound, site, { path, tls: ssl, headersOnly: true }, signal);
    if ('silent' in asked) return { is: 'silent', says: `${where}: ${asked.silent}` };
    if (GATEWAY.has(asked.status)) return { is: '502', says: `${where} answers ${asked.status}` };
  }
  return proves ? { is: 'answers', says } : { is: 'unproven', says: `${says}, without a proof` };
};
