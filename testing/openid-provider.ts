/** A strict OpenID Connect provider on loopback (`oidc-provider`), and the browser of a person signed in there. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { InteractionResults } from 'oidc-provider';
import { freePort } from './free-port';

export interface OpenIdAccount {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
}

export interface OpenIdPeer {
  /** Environment variables for the back end. */
  env: Record<string, string>;
  become(account: OpenIdAccount): void;
  /** Gives consent at the provider's address. @returns the query that the browser is sent back with */
  agree(address: string): Promise<URLSearchParams>;
  refuse(address: string): Promise<URLSearchParams>;
  stop(): Promise<void>;
}

const client = { client_id: 'quarterdeck', client_secret: 'secret of the client at the provider' };

/** Silences the provider's long warnings about its test set-up and the Node.js version. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
};

const TEN_MINUTES = 600;
const ttl = {
  AccessToken: TEN_MINUTES,
  AuthorizationCode: TEN_MINUTES,
  Grant: TEN_MINUTES,
  IdToken: TEN_MINUTES,
  Interaction: TEN_MINUTES,
  Session: TEN_MINUTES,
};

/** @param callback the only registered redirect URI of the client */
export const startOpenIdProvider = async (callback: string): Promise<OpenIdPeer> => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  let visitor: OpenIdAccount = { sub: 'nobody' };
  let agrees = true;
  const provider = await quietly(async () => {
    const { default: Provider } = await import('oidc-provider');
    return new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_post' }],
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key for the cookies of this test'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...visitor, sub }) }),
      renderError: (context, { error, error_description }) => {
        context.body = `${error}: ${error_description}`;
      },
      ttl,
    });
  });

  const decide = async (request: IncomingMessage, response: ServerResponse): Promise<InteractionResults> => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (!agrees) return { error: 'access_denied', error_description: 'the person said no' };
    if (prompt.name === 'login') return { login: { accountId: visitor.sub } };
    const grant = new provider.Grant({
      accountId: session?.accountId ?? visitor.sub,
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope(String(params['scope']));
    return { consent: { grantId: await grant.save() } };
  };

  const serve = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void serve(request, response);
    void decide(request, response).then((result) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true }),
    );
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(issuer).port), '127.0.0.1', resolve));

  /** Follows redirects like a browser until it is sent back to `callback`. */
  const browse = async (start: string, willing: boolean): Promise<URLSearchParams> => {
    agrees = willing;
    const jar = new Map<string, string>();
    let address = start;
    for (let i = 0; i < 10; i++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (!next) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      address = new URL(next, address).href;
      if (address.startsWith(callback)) return new URL(address).searchParams;
    }
    throw new Error('the provider sends the browser in a circle');
  };

  return {
    env: {
      GOOGLE_CLIENT_ID: client.client_id,
      GOOGLE_CLIENT_SECRET: client.client_secret,
      GOOGLE_ISSUER_URL: issuer,
    },
    become: (account) => {
      visitor = account;
    },
    agree: (address) => browse(address, true),
    refuse: (address) => browse(address, false),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
