/** OAuth 2.0 at GitHub, or at a GitHub Enterprise Server, and the calls about the person whose token it is. */
import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetch,
  type CustomFetchOptions,
} from 'openid-client';

interface GitHubOAuth {
  /** Such as `https://github.com`. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: CustomFetch;
}

export const gitHubConfiguration = ({ url, clientId, clientSecret, fetch }: GitHubOAuth): Configuration => {
  const base = `${url.replace(/\/+$/, '')}/login/oauth`;
  const server = {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/access_token`,
  };
  const configuration = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  configuration[customFetch] = withStatusOfError(fetch);
  if (url.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
};

/** For a call that asks about the person to whom the access token belongs. */
export const asPerson = (token: string): CustomFetchOptions => ({
  method: 'GET',
  redirect: 'manual',
  body: undefined,
  headers: {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  },
});

/** GitHub answers a refused code with status 200 and the error in the body. */
const withStatusOfError =
  (fetch: CustomFetch): CustomFetch =>
  async (url, options) => {
    const answer = await fetch(url, options);
    if (answer.status !== 200) return answer;
    const text = await answer.text();
    return new Response(text, { status: hasError(text) ? 400 : 200, headers: answer.headers });
  };

const hasError = (text: string): boolean => {
  try {
    return typeof (JSON.parse(text) as { error?: unknown } | null)?.error === 'string';
  } catch {
    return false;
  }
};
