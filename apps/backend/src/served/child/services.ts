/** What the services say about somebody who signs in there: OpenID Connect, and GitHub's OAuth 2.0. Loaded with the first sign-in. */
import { createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { OauthService } from '@quarterdeck/events';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { DomainError } from '../../platform/errors';
import { asPerson, gitHubConfiguration } from '../../platform/github-oauth';
import type { ServiceClient } from '../messages';
import { ApiRefusal, busy, wrongField } from './refusal';

/** Of one sign-in. Only the state and the nonce go to the service. */
export interface ServiceSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ServiceIdentity {
  /** SHA-256 of what the service calls the account. It stays the same when the e-mail address changes. */
  readonly account: string;
  /** Only one that the service has verified. */
  readonly email?: string | undefined;
}

type Client = ServiceClient & { readonly secret: string };
type Claims = Readonly<Record<string, unknown>>;

/** How a service differs from OpenID Connect as Google does it. */
interface Kind {
  readonly scope: string;
  /** It takes PKCE, although its metadata may not say so. */
  readonly takesPkce?: boolean;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isVerified?: (claims: Claims, client: Client) => boolean;
}

/** Personal accounts of Microsoft: it has verified their addresses. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const SHARED_TENANTS = ['common', 'organizations', 'consumers'];

/** Apple sends it as a text. */
const saysVerified = ({ email_verified: verified }: Claims): boolean =>
  verified === true || verified === 'true';

const KINDS: Readonly<Record<OauthService, Kind>> = {
  google: { scope: 'openid email', takesPkce: true },
  zoho: { scope: 'openid email' },
  microsoft: {
    scope: 'openid email profile',
    takesPkce: true,
    // Administrators of any tenant may give their accounts any address. Only that of a tenant that was chosen is believed.
    isVerified: ({ tid, xms_edov: isOwner }, { options: { tenant = 'common' } }) =>
      tid === PERSONAL ||
      [true, 1, '1', 'true'].includes(isOwner as never) ||
      !SHARED_TENANTS.includes(tenant),
  },
  github: { scope: 'read:user user:email', takesPkce: true },
  // With a scope, it answers with a form only.
  apple: { scope: 'openid email', parameters: { response_mode: 'form_post' } },
  swissid: { scope: 'openid email profile' },
};

/** Where a browser signs in. @throws what `refusalOfService` takes */
export const addressAt = async (
  client: Client,
  { state, nonce, verifier }: ServiceSecrets,
  fetch: CustomFetch,
): Promise<string> =>
  about(client, async () => {
    const { scope, parameters } = KINDS[client.service];
    const configuration = await configurationOf(client, client.issuers[0] ?? '', fetch);
    return buildAuthorizationUrl(configuration, {
      redirect_uri: client.redirectUrl,
      response_type: 'code',
      scope,
      state,
      ...(isOpenId(client) && { nonce }),
      ...(takesPkce(client, configuration) && {
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
      ...parameters,
    }).href;
  });

/** @param answer what the service added to the redirect URL; its state was compared @throws what `refusalOfService` takes */
export const identify = (
  client: Client,
  { state, nonce, verifier }: ServiceSecrets,
  answer: URLSearchParams,
  fetch: CustomFetch,
): Promise<ServiceIdentity> =>
  about(client, async () => {
    const issuer = issuerIn(answer, client);
    const configuration = await configurationOf(client, issuer, fetch);
    const back = new URL(client.redirectUrl);
    for (const [name, value] of answer) back.searchParams.append(name, value);
    const tokens = await authorizationCodeGrant(configuration, back, {
      expectedState: state,
      ...(takesPkce(client, configuration) && { pkceCodeVerifier: verifier }),
      ...(isOpenId(client) && { expectedNonce: nonce, idTokenExpected: true }),
    });
    if (!isOpenId(client)) return gitHubAccount(client, tokens.access_token, fetch);
    const claims: Claims = { ...tokens.claims() };
    const subject = textIn(claims['sub']) ?? '';
    // Strict services give the claims of a scope only here.
    const asks =
      claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = asks ? await fetchUserInfo(configuration, tokens.access_token, subject) : {};
    // What is signed counts.
    const told: Claims = { ...more, ...claims };
    const isVerified = (KINDS[client.service].isVerified ?? saysVerified)(told, client);
    return {
      account: accountOf(client, textIn(claims['iss']) ?? '', subject),
      email: isVerified ? textIn(told['email']) : undefined,
    };
  });

const isOpenId = ({ service }: Client): boolean => service !== 'github';

const takesPkce = ({ service }: Client, configuration: Configuration): boolean =>
  KINDS[service].takesPkce === true || configuration.serverMetadata().supportsPKCE();

const accountOf = ({ service }: Client, issuer: string, subject: string): string =>
  createHash('sha256').update(`${service}\n${issuer}\n${subject}`).digest('hex');

/** The library would send it without its query, and with a slash: a service compares texts. */
const withRedirectUrl =
  (redirectUrl: string, fetch: CustomFetch): CustomFetch =>
  (url, options) => {
    if (options.body instanceof URLSearchParams && options.body.has('redirect_uri'))
      options.body.set('redirect_uri', redirectUrl);
    return fetch(url, options);
  };

/** Not kept: keys of a service change, and a sign-in with an old one could not be repeated. */
const configurationOf = async (
  client: Client,
  issuer: string,
  calls: CustomFetch,
): Promise<Configuration> => {
  const { service, clientId, secret, redirectUrl } = client;
  const fetch = withRedirectUrl(redirectUrl, calls);
  if (service === 'github')
    return gitHubConfiguration({ url: issuer, clientId, clientSecret: secret, fetch });
  const password = service === 'apple' ? appleSecret(client, issuer) : secret;
  return discovery(new URL(issuer), clientId, undefined, ClientSecretPost(password), {
    [customFetch]: fetch,
    // Also checks the signature of the ID token, not only the connection.
    execute: [enableNonRepudiationChecks],
  });
};

/** Zoho has an accounts server in each region, and says which one knows the user. The secret goes to no other address. */
const issuerIn = (answer: URLSearchParams, { service, issuers }: Client): string => {
  const [usual = ''] = issuers;
  const named = service === 'zoho' ? answer.get('accounts-server') : null;
  if (named === null) return usual;
  const issuer = issuers.find((one) => one === named.replace(/\/$/, ''));
  if (issuer === undefined) throw wrongField('body.answer', 'the accounts-server is none of zoho');
  return issuer;
};

/** A JWT, signed with the text of the .p8 file. */
const appleSecret = ({ clientId, secret, options }: Client, issuer: string): string => {
  const seconds = Math.floor(Date.now() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'ES256', kid: options['keyId'] })}.${part({
    iss: options['teamId'],
    iat: seconds,
    exp: seconds + 300,
    aud: issuer,
    sub: clientId,
  })}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKeyIn(secret),
    dsaEncoding: 'ieee-p1363',
  });
  return `${signed}.${signature.toString('base64url')}`;
};

/** Secrets are stored in one line, and a browser drops line breaks from what is pasted. */
const privateKeyIn = (text: string): KeyObject => {
  try {
    const der = Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\\n|\s/g, ''), 'base64');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Its message could have a part of the key.
  }
  throw new Unusable('the secret is not the text of a .p8 file with a key for ES256');
};

/** An access token is not about a client, and says nothing about the person. These calls do. */
const gitHubAccount = async (client: Client, token: string, fetch: CustomFetch): Promise<ServiceIdentity> => {
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`https://api.github.com${path}`, asPerson(token));
    if (answer.status === 403 || answer.status === 404) return undefined;
    if (answer.status !== 200) throw new Unusable(`it answered ${answer.status} to ${path}`);
    return answer.json().catch(() => undefined);
  };
  const [user, addresses] = await Promise.all([ask('/user'), ask('/user/emails')]);
  const { id } = (user ?? {}) as { id?: unknown };
  if (!Number.isSafeInteger(id)) throw new Unusable('its account has no id');
  const primary = (Array.isArray(addresses) ? (addresses as Claims[]) : []).find(
    (one) => one?.['primary'] === true && one['verified'] === true,
  );
  return {
    account: accountOf(client, client.issuers[0] ?? '', String(id)),
    email: textIn(primary?.['email']),
  };
};

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What operators have to mend, or the service. */
class Unusable extends Error {}

class ServiceFailure extends Error {
  constructor(
    readonly service: string,
    override readonly cause: unknown,
  ) {
    super(`${service}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

const about = async <T>({ service }: Client, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiRefusal ? error : new ServiceFailure(service, error);
  }
};

/** The code is used up, too old, or belongs to another browser. */
const SPENT = new Set(['invalid_grant', 'bad_verification_code', 'invalid_code']);
const BEGIN_AGAIN = 'begin the sign-in again';

/** `fault`: for the log of whoever runs the API. Nothing of it is told to callers but the service's own word. */
export const refusalOfService = (error: unknown): { refusal: unknown; fault?: Error } => {
  if (!(error instanceof ServiceFailure)) return { refusal: error };
  const { service, cause } = error;
  if (cause instanceof AuthorizationResponseError)
    return {
      refusal: wrongField(
        'body.answer',
        cause.error === 'access_denied' || cause.error === 'user_cancelled_authorize'
          ? `the sign-in was cancelled at ${service}: ${BEGIN_AGAIN}`
          : `${service} could not sign you in (${wordOf(cause.error)}): ${BEGIN_AGAIN}`,
      ),
    };
  if (cause instanceof ResponseBodyError && SPENT.has(cause.error))
    return { refusal: wrongField('body.answer', `this answer is used or too old: ${BEGIN_AGAIN}`) };
  if (cause instanceof ResponseBodyError)
    return {
      refusal: busy(
        `${service} refuses this API (${wordOf(cause.error)}): its operator has to correct that`,
        60,
      ),
      fault: new Error(`${service} refuses this API: ${wordOf(cause.error)}`),
    };
  const away = [cause, (cause as Error | null)?.cause].find((one) => one instanceof DomainError);
  if (away)
    return {
      refusal: busy(`${service} cannot be reached at the moment: ${BEGIN_AGAIN}`, 5),
      fault: new Error(`${service}: ${away.msg}`),
    };
  if (cause instanceof Unusable)
    return {
      refusal: busy(`the sign-in with ${service} does not work: its operator has to look at it`, 60),
      fault: new Error(`${service}: ${cause.message}`),
    };
  if (cause instanceof ClientError)
    return {
      refusal: new ApiRefusal(401, `the answer of ${service} cannot be verified: ${BEGIN_AGAIN}`),
      fault: new Error(`${service}: ${cause.code ?? ''} ${cause.message}`),
    };
  return { refusal: cause };
};

/** An OAuth error code, and nothing else that a service might send. */
const wordOf = (code: string): string => (/^[\w-]{1,60}$/.test(code) ? code : 'unknown error');
