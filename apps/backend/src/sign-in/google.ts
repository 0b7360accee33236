/** Google, or any other OpenID Connect provider at GOOGLE_ISSUER_URL, found by discovery. */
import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { Provider, type ProvenIdentity, type Tokens } from './provider';

/** How long the discovery document is cached. */
const KNOWN_MS = 3_600_000;

export interface OpenIdClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  fetch: CustomFetch;
}

const discover = ({ issuer, clientId, clientSecret, fetch }: OpenIdClient): Promise<Configuration> =>
  discovery(new URL(issuer), clientId, undefined, ClientSecretPost(clientSecret), {
    [customFetch]: fetch,
    execute: [
      // Also checks the signature of the ID token, not only the connection.
      enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ],
  });

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const read = async (configuration: Configuration, tokens: Tokens): Promise<ProvenIdentity> => {
  const claims = tokens.claims();
  const subject = claims?.sub ?? '';
  // Strict providers return the claims of a scope only from their userinfo endpoint.
  const asks = claims?.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = asks ? await fetchUserInfo(configuration, tokens.access_token, subject) : undefined;
  const told = { ...claims, ...more };
  const [name, email] = [text(told.name), text(told.email)];
  const emailVerified = told.email_verified === true;
  return {
    provider: 'google',
    subject,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    emailVerified,
    verified: { emails: emailVerified && email !== undefined ? [email] : [], organizations: [] },
  };
};

export const google = (client: OpenIdClient): Provider => {
  let known: { configuration: Configuration; at: number } | undefined;
  return new Provider({
    name: 'google',
    scope: 'openid email profile',
    openId: true,
    configuration: async () => {
      if (!known || Date.now() - known.at > KNOWN_MS)
        known = { configuration: await discover(client), at: Date.now() };
      return known.configuration;
    },
    read,
  });
};
