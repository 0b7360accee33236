/**
 * Requests a site over the network as a visitor would: by its name, at its server's address. Any answer of a web server
 * counts. A broken upstream is the operator's concern, and a 502 is an answer.
 */
import { hostToAsk } from '../dns';
import { DomainError } from '../platform/errors';
import { answeredOddly, callOut, type Outbound, OutboundRefused } from '../platform/outbound';
import { checkTls } from '../platform/tls';

export interface ProbedSite {
  serverName: string;
  /** Registered address of the server. */
  host: string;
  ssl: boolean;
}

/** `http`: the status, or why there was none. `tls`: the presented serial, or why there was none. */
export interface SiteAnswer {
  http: { ok: boolean; says: string };
  tls?: { ok: boolean; says: string; serial?: string };
}

const TIMEOUT_MS = 10_000;
const HTTP = 80;
const HTTPS = 443;

const overHttp = async (
  outbound: Outbound,
  { serverName, host }: ProbedSite,
  signal: AbortSignal,
): Promise<SiteAnswer['http']> => {
  try {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${HTTP}/`;
    const headers = { host: hostToAsk(serverName) };
    const { status } = await callOut(outbound, { url, headers, timeoutMs: TIMEOUT_MS, signal });
    return { ok: true, says: String(status) };
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof OutboundRefused) throw error;
    // Too long, or not HTTP at all: still, something answered.
    return answeredOddly(error)
      ? { ok: true, says: 'an answer that cannot be read here' }
      : { ok: false, says: error.msg };
  }
};

const overTls = async (
  outbound: Outbound,
  { serverName, host }: ProbedSite,
  signal: AbortSignal,
): Promise<NonNullable<SiteAnswer['tls']>> => {
  let address: string;
  try {
    ({ address } = await outbound.reach({ host, port: HTTPS }));
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof OutboundRefused) throw error;
    return { ok: false, says: error.msg };
  }
  const check = await checkTls({
    host: hostToAsk(serverName),
    address,
    port: HTTPS,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (!check.reachable) return { ok: false, says: check.problem.reason };
  const { serial } = check.certificate;
  return {
    ok: true,
    says: `certificate ${serial}${check.valid ? '' : `, ${check.problem?.reason}`}`,
    serial,
  };
};

/** @throws OutboundRefused if this console may not call the server */
export const probeSite = async (
  outbound: Outbound,
  site: ProbedSite,
  signal: AbortSignal,
): Promise<SiteAnswer> => {
  const [http, tls] = await Promise.all([
    overHttp(outbound, site, signal),
    site.ssl ? overTls(outbound, site, signal) : undefined,
  ]);
  return tls ? { http, tls } : { http };
};
