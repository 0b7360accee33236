/** DigitalOcean's OAuth: the page of consent, the exchange of a code, refresh and revocation. */
import { z } from 'zod';
import { storable } from '../digitalocean';
import { DomainError } from '../platform/errors';
import { callOut, hostOf, type Outbound, type OutboundAnswer } from '../platform/outbound';

const SCOPE = 'read write';
const TIMEOUT_MS = 15_000;

export interface OAuthClient {
  /** DIGITALOCEAN_URL: of the pages for people. */
  url: string;
  clientId: string;
  clientSecret: string;
  outbound: Outbound;
  timeoutMs?: number;
}

export interface Granted {
  token: string;
  refresh?: string;
  scopes?: string[];
  expiresInS?: number;
}

const granted = z.object({
  access_token: z.string().min(1).max(400),
  refresh_token: z.string().min(1).max(400).nullish(),
  scope: z.string().max(4000).nullish(),
  expires_in: z.number().positive().nullish(),
});

const baseOf = (url: string): string => `${url.replace(/\/+$/, '')}/v1/oauth`;

export const consentAddress = (
  { url, clientId }: Pick<OAuthClient, 'url' | 'clientId'>,
  { redirectUri, state }: { redirectUri: string; state: string },
): string => {
  const address = new URL(`${baseOf(url)}/authorize`);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return address.href;
};

const post = (
  { url, outbound, timeoutMs = TIMEOUT_MS }: Pick<OAuthClient, 'url' | 'outbound' | 'timeoutMs'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<OutboundAnswer> =>
  callOut(outbound.alsoTo(hostOf(url)), {
    url: `${baseOf(url)}/${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    body: new URLSearchParams(fields).toString(),
    timeoutMs,
    maxBytes: 65_536,
  });

/** @throws DomainError `upstream` with code UNAUTHORIZED if the grant is not, or no longer, accepted */
const exchange = async (client: OAuthClient, fields: Record<string, string>): Promise<Granted> => {
  const { clientId, clientSecret } = client;
  const answer = await post(client, 'token', { ...fields, client_id: clientId, client_secret: clientSecret });
  if (answer.status === 400 || answer.status === 401)
    throw new DomainError(
      'upstream',
      'DigitalOcean no longer accepts this sign-in: connect the account again',
      undefined,
      { code: 'UNAUTHORIZED' },
    );
  const read = answer.status === 200 ? granted.safeParse(parsed(answer.text)) : undefined;
  if (!read?.success)
    throw new DomainError(
      'upstream',
      `DigitalOcean answered with status ${answer.status} and no token`,
      undefined,
      {
        code: `HTTP${answer.status}`,
      },
    );
  const { access_token: token, refresh_token: refresh, scope, expires_in: expiresInS } = read.data;
  return {
    token,
    ...(refresh && { refresh }),
    ...(scope && {
      scopes: scope
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(storable),
    }),
    ...(expiresInS && { expiresInS }),
  };
};

export const exchangeCode = (client: OAuthClient, code: string, redirectUri: string): Promise<Granted> =>
  exchange(client, { grant_type: 'authorization_code', code, redirect_uri: redirectUri });

/** The refresh token works once: whoever calls this stores what it returns before using it. */
export const refreshToken = (client: OAuthClient, refresh: string): Promise<Granted> =>
  exchange(client, { grant_type: 'refresh_token', refresh_token: refresh });

/** @throws DomainError if the provider did not confirm it */
export const revokeToken = async (
  client: Pick<OAuthClient, 'url' | 'outbound'>,
  token: string,
): Promise<void> => {
  const { status } = await post(client, 'revoke', { token }, { authorization: `Bearer ${token}` });
  // Not accepted any more is as good as revoked.
  if (status !== 200 && status !== 401)
    throw new DomainError('upstream', `DigitalOcean answered with status ${status} to the revocation`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
