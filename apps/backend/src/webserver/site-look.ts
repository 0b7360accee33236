/**
 * Looks at a site over the network as a visitor does: by its name, at its server's address. The site proves that it is
 * ours, over HTTPS too if it has that, and each of its apps is asked once.
 */
import type { LocationView } from '@quarterdeck/projections';
import type { SiteAnswer } from '../domains';
import { hostToAsk } from '../dns';
import { DomainError } from '../platform/errors';
import { answeredOddly, callOut, type Outbound, OutboundRefused } from '../platform/outbound';
import { isNamedIn } from './site-config';
import { PROOF_PATH, proofOf } from './site-model';

export interface LookedSite {
  serverName: string;
  /** Registered address of the server. */
  host: string;
  ssl: boolean;
  /** Other names that have to prove themselves, too. */
  others: readonly string[];
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

/** @param others names of the site besides its main one. Those that are not live yet are not asked. */
export const lookedSite = (
  { serverName, host, ssl }: Pick<LookedSite, 'serverName' | 'host' | 'ssl'>,
  text: string,
  locations: readonly Passing[],
  others: readonly string[] = [],
): LookedSite => ({
  serverName,
  host,
  ssl,
  others: others.filter((name) => isNamedIn(text, name)),
  proves: text.includes(proofOf(serverName)),
  apps: appsOf(locations),
});

type SiteReply = { status: number; text: string } | { silent: string };

interface Question {
  /** The name that is asked for. */
  name: string;
  path: string;
  tls: boolean;
  headersOnly?: true;
}

const ask = async (
  outbound: Outbound,
  { host }: LookedSite,
  { name, path, tls, ...how }: Question,
  signal: AbortSignal,
): Promise<SiteReply> => {
  try {
    const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}${path}`;
    const headers = { host: hostToAsk(name) };
    return await callOut(outbound, {
      url,
      headers,
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      anyCertificate: true,
      ...how,
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof DomainError) || error instanceof OutboundRefused) throw error;
    // Not with a proof. A response header of an app may be larger than what is read here.
    return answeredOddly(error) ? { status: 200, text: '' } : { silent: error.msg };
  }
};

/** @throws OutboundRefused if this console may not call the server: then nobody has looked */
export const lookAtSite = async (
  outbound: Outbound,
  site: LookedSite,
  signal: AbortSignal,
): Promise<SiteAnswer> => {
  const { serverName, ssl, apps, others, proves } = site;
  const main = await proofFor(outbound, site, serverName, signal);
  if (main.is !== 'answers') return main;
  const { says } = main;
  for (const path of apps) {
    const where = `${ssl ? 'https' : 'http'}://${serverName}${path}`;
    const asked = await ask(outbound, site, { name: serverName, path, tls: ssl, headersOnly: true }, signal);
    if ('silent' in asked) return { is: 'silent', says: `${where}: ${asked.silent}` };
    if (GATEWAY.has(asked.status)) return { is: '502', says: `${where} answers ${asked.status}` };
  }
  for (const name of proves ? others : []) {
    const found = await proofFor(outbound, site, name, signal);
    if (found.is !== 'answers') return { ...found, says: `${name}: ${found.says}` };
  }
  return proves ? { is: 'answers', says } : { is: 'unproven', says: `${says}, without a proof` };
};

/** Whether our configuration answers for a name. */
const proofFor = async (
  outbound: Outbound,
  site: LookedSite,
  name: string,
  signal: AbortSignal,
): Promise<SiteAnswer> => {
  const { serverName, ssl, proves } = site;
  const proof = proofOf(serverName);
  let says = '';
  for (const tls of ssl ? [false, true] : [false]) {
    const where = `${tls ? 'https' : 'http'}://${name}`;
    const asked = await ask(outbound, site, { name, path: PROOF_PATH, tls }, signal);
    if ('silent' in asked) return { is: tls ? 'tlsGone' : 'silent', says: asked.silent };
    says = `${where} answers`;
    if (proves && !(asked.status === 200 && asked.text.trim() === proof))
      return { is: 'another', says: `${where} answers ${asked.status} without the proof of this site` };
  }
  return { is: 'answers', says };
};
