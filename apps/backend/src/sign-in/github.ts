/** GitHub, or a GitHub Enterprise Server: OAuth 2.0 with PKCE, and the calls that identify the person. */
import type { CustomFetch } from 'openid-client';
import { z } from 'zod';
import { DomainError } from '../platform/errors';
import { asPerson, gitHubConfiguration } from '../platform/github-oauth';
import { Provider, type ProvenIdentity } from './provider';

export interface GitHubClient {
  /** GITHUB_URL and GITHUB_API_URL. */
  url: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Those whose members may make a workspace. */
  organizations: readonly string[];
  fetch: CustomFetch;
}

const user = z.object({ id: z.number().int(), login: z.string().min(1), name: z.string().nullish() });
const membership = z.object({ state: z.string() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

const ask = async <S extends z.ZodType>(
  { apiUrl, fetch }: GitHubClient,
  path: string,
  token: string,
  schema: S,
  without?: z.infer<S>,
): Promise<z.infer<S>> => {
  const answer = await fetch(`${apiUrl.replace(/\/+$/, '')}${path}`, asPerson(token));
  if (without !== undefined && (answer.status === 403 || answer.status === 404)) return without;
  const text = await answer.text();
  const found = answer.status === 200 ? schema.safeParse(parsed(text)) : undefined;
  if (found?.success) return found.data;
  throw new DomainError('upstream', `GitHub answered ${answer.status} to ${path}`, undefined, {
    code: 'provider-answer',
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A pending invitation is no membership. An organisation may also hide itself from OAuth apps. */
const organizationsOf = async (client: GitHubClient, token: string): Promise<string[]> => {
  const memberships = await Promise.all(
    client.organizations.map((name) =>
      ask(client, `/user/memberships/orgs/${name}`, token, membership, { state: 'none' }),
    ),
  );
  return client.organizations.filter((_, index) => memberships[index]?.state === 'active');
};

const identityFor = async (
  client: GitHubClient,
  token: string,
  creates: boolean,
): Promise<ProvenIdentity> => {
  const [{ id, login, name }, addresses, organizations] = await Promise.all([
    ask(client, '/user', token, user),
    // The app may lack this permission. People invited by e-mail must then be invited by login.
    ask(client, '/user/emails', token, emails, []),
    creates ? organizationsOf(client, token) : [],
  ]);
  const primary = addresses.find((one) => one.primary);
  return {
    provider: 'github',
    subject: String(id),
    login,
    name: name || login,
    ...(primary ? { email: primary.email } : {}),
    emailVerified: primary?.verified ?? false,
    verified: {
      emails: addresses.filter(({ verified }) => verified).map(({ email }) => email),
      organizations,
    },
  };
};

export const github = (client: GitHubClient): Provider => {
  const configuration = gitHubConfiguration(client);
  return new Provider({
    name: 'github',
    scope: 'read:user user:email',
    ...(client.organizations.length > 0 && { signUpScope: 'read:org' }),
    openId: false,
    configuration: () => Promise.resolve(configuration),
    read: (_, { access_token }, { creates }) => identityFor(client, access_token, creates),
  });
};
