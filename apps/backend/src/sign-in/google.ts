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

/** What it publishes about itself is asked for anew after so long. */
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
      // The signature of the ID token is checked, too, and not only the connection that it came over.
      enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ],
  });

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const read = async (configuration: Configuration, tokens: Tokens): Promise<ProvenIdentity> => {
  const claims = tokens.claims();
  const subject = claims?.sub ?? '';
  // Strict providers tell the claims of a scope at their own endpoint only.
  const asks = claims?.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = asks ? await fetchUserInfo(configuration, tokens.access_token, subject) : undefined;
  const told = { ...claims, ...more };
  const [name, email] = [text(told.name), text(told.email)];
  return {
    provider: 'google',
    subject,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    emailVerified: told.email_verified === true,
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
