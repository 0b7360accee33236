/**
 * A stand-in of the six services that sign users of generated APIs in, behind one gateway: `<url>/<host>/<path>`. Each differs
 * from OpenID Connect as its own documents say. Its browser is `agree`, which follows an address to the redirect URL.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServiceAccount {
  readonly sub: string;
  readonly email?: string;
  readonly isVerified?: boolean;
  /** Of Microsoft: the tenant. */
  readonly tid?: string;
  /** Of Microsoft: whether the tenant owns the domain of the address. */
  readonly edov?: boolean;
  /** Of Zoho: the accounts server that has the account. */
  readonly region?: string;
}

/** What goes wrong with the next answers. */
export type Trouble =
  | 'none'
  | 'another nonce'
  | 'another issuer'
  | 'another audience'
  | 'a forged signature'
  | 'an old token'
  | 'no ID token'
  | 'a refused client'
  | 'failing'
  | 'hanging up'
  | 'endless'
  | 'no JSON';

interface Grant {
  readonly host: string;
  readonly asked: URLSearchParams;
  readonly account: ServiceAccount;
  isOld: boolean;
}

export interface SignInServices {
  /** A gateway for all of them. */
  readonly url: string;
  readonly clientId: string;
  /** Of all but Apple. */
  readonly secret: string;
  /** Text of Apple's .p8 file. */
  readonly appleKey: string;
  /** Host and path of each call so far. */
  readonly calls: string[];
  /** The account that is signed in at the services in the browser. */
  become(account: ServiceAccount): void;
  /** Gives consent at an address that the API has given. @returns what the redirect URL gets: a query, or Apple's form */
  agree(address: string): URLSearchParams;
  refuse(address: string): URLSearchParams;
  /** Makes a code count as too old. */
  expire(code: string): void;
  /** New keys sign from now on, and the old ones are gone. */
  rotate(): void;
  feel(trouble: Trouble): void;
  stop(): Promise<void>;
}

const clientId = 'the-shop';
const secret = 'secret of the shop at the service';
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const APPLE = { teamId: 'TEAM123456', keyId: 'KEY1234567' };
/** Whose accounts server Zoho's documents name first. */
const ZOHO = 'accounts.zoho.com';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

const rsa = () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: randomBytes(6).toString('hex'), publicKey, privateKey };
};

const jwt = (claims: object, kid: string, key: KeyObject): string => {
  const signed = `${part({ alg: 'RS256', kid, typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const one of request.setEncoding('utf8')) text += one as string;
  return text;
};

/** By the host of its address: where its documents are, and what it calls itself. */
const issuerAt = (host: string, path: string): string | undefined => {
  const tenant = /^\/([\w.-]+)\/v2\.0\//.exec(path)?.[1];
  if (host === 'login.microsoftonline.com')
    return `https://${host}/${tenant === 'common' || tenant === 'organizations' ? '{tenantid}' : tenant}/v2.0`;
  if (host === 'login.swissid.ch') return `https://${host}/idp/oauth2`;
  if (host === 'accounts.google.com' || host === 'appleid.apple.com' || host.startsWith('accounts.zoho.'))
    return `https://${host}`;
  return undefined;
};

export const startSignInServices = async (): Promise<SignInServices> => {
  const apple = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  let keys = rsa();
  let visitor: ServiceAccount = { sub: 'nobody' };
  let trouble: Trouble = 'none';
  const calls: string[] = [];
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();

  const metadata = (host: string, path: string, issuer: string): object => {
    const base = `https://${host}${path.replace('/.well-known/openid-configuration', '')}`;
    return {
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...(host === 'login.swissid.ch' && { userinfo_endpoint: `${base}/userinfo` }),
      // Microsoft takes PKCE and does not say so; Apple does not take it.
      ...(['accounts.google.com', 'login.swissid.ch'].includes(host) && {
        code_challenge_methods_supported: ['S256'],
      }),
    };
  };

  const browse = (address: string, agrees: boolean): URLSearchParams => {
    const { host, searchParams: asked } = new URL(address);
    const wanted = (name: string): string => {
      const value = asked.get(name);
      if (!value) throw new Error(`${host} was asked without ${name}`);
      return value;
    };
    if (wanted('client_id') !== clientId) throw new Error(`${host} knows no such client`);
    if (wanted('response_type') !== 'code') throw new Error(`${host} answers with codes only`);
    const scopes = wanted('scope').split(' ');
    if (host === 'github.com' && !scopes.includes('user:email')) throw new Error('no scope for addresses');
    if (host !== 'github.com' && !(scopes.includes('openid') && scopes.includes('email')))
      throw new Error(`${host} was asked without openid and email`);
    if (host === 'appleid.apple.com' && wanted('response_mode') !== 'form_post')
      throw new Error('Apple answers a request with scopes by a form only');
    if (['github.com', 'accounts.google.com', 'login.microsoftonline.com', 'login.swissid.ch'].includes(host))
      if (wanted('code_challenge_method') !== 'S256' || wanted('code_challenge').length !== 43)
        throw new Error(`${host} was asked without PKCE`);
    if (host !== 'github.com') wanted('nonce');
    const back = new URLSearchParams({ state: wanted('state') });
    if (!agrees) {
      back.set('error', host === 'appleid.apple.com' ? 'user_cancelled_authorize' : 'access_denied');
      return back;
    }
    const code = randomBytes(16).toString('hex');
    const region = host === ZOHO ? (visitor.region ?? ZOHO) : host;
    grants.set(code, { host: region, asked, account: visitor, isOld: false });
    back.set('code', code);
    if (host === ZOHO) {
      back.set('location', region.slice(region.lastIndexOf('.') + 1));
      back.set('accounts-server', `https://${region}`);
    }
    return back;
  };

  const idToken = ({ host, asked, account }: Grant): string => {
    const now = Math.floor(Date.now() / 1000) - (trouble === 'an old token' ? 7200 : 0);
    const tid = account.tid ?? PERSONAL;
    const isStrict = host === 'login.swissid.ch';
    const { email, isVerified = true, edov } = account;
    const claims = {
      iss:
        trouble === 'another issuer'
          ? 'https://evil.example.org'
          : host === 'login.microsoftonline.com'
            ? `https://${host}/${tid}/v2.0`
            : issuerAt(host, ''),
      aud: trouble === 'another audience' ? 'somebody-else' : clientId,
      sub: account.sub,
      iat: now,
      exp: now + 600,
      nonce: trouble === 'another nonce' ? 'another' : asked.get('nonce'),
      ...(host === 'login.microsoftonline.com' && { tid, ...(edov !== undefined && { xms_edov: edov }) }),
      ...(email !== undefined && !isStrict && { email }),
      // Microsoft does not have the claim, and Apple has a text.
      ...(!isStrict &&
        host !== 'login.microsoftonline.com' && {
          email_verified: host === 'appleid.apple.com' ? String(isVerified) : isVerified,
        }),
    };
    return jwt(claims, keys.kid, trouble === 'a forged signature' ? rsa().privateKey : keys.privateKey);
  };

  const isSecretOfApple = (given: string): boolean => {
    const [head = '', body = '', signature = ''] = given.split('.');
    const claims = read(body);
    const seconds = Date.now() / 1000;
    return (
      read(head)['alg'] === 'ES256' &&
      read(head)['kid'] === APPLE.keyId &&
      claims['iss'] === APPLE.teamId &&
      claims['sub'] === clientId &&
      claims['aud'] === 'https://appleid.apple.com' &&
      Number(claims['exp']) > seconds &&
      Number(claims['exp']) < seconds + 15_777_000 &&
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        { key: createPublicKey(apple.privateKey), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    );
  };

  const exchange = (host: string, given: URLSearchParams): { status: number; body: object } => {
    const refused = (error: string) => ({
      // GitHub answers 200.
      status: host === 'github.com' ? 200 : 400,
      body: { error, error_description: 'secret details of the service' },
    });
    const client = given.get('client_secret') ?? '';
    const isRight = host === 'appleid.apple.com' ? isSecretOfApple(client) : client === secret;
    if (given.get('client_id') !== clientId || !isRight || trouble === 'a refused client')
      return refused('invalid_client');
    const code = given.get('code') ?? '';
    const grant = grants.get(code);
    const challenge = grant?.asked.get('code_challenge') ?? null;
    const verifier = given.get('code_verifier');
    const isProved =
      challenge === null
        ? verifier === null
        : createHash('sha256')
            .update(verifier ?? '')
            .digest('base64url') === challenge;
    if (!grant || grant.host !== host || grant.isOld || !isProved)
      return refused(host === 'github.com' ? 'bad_verification_code' : 'invalid_grant');
    if (given.get('redirect_uri') !== grant.asked.get('redirect_uri'))
      return refused('redirect_uri_mismatch');
    grants.delete(code);
    const token = `t_${randomBytes(18).toString('hex')}`;
    tokens.set(token, grant);
    return {
      status: 200,
      body: {
        access_token: token,
        token_type: 'bearer',
        expires_in: 600,
        ...(host !== 'github.com' && trouble !== 'no ID token' && { id_token: idToken(grant) }),
      },
    };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = (status: number, body: unknown): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    calls.push(`${request.method} ${host}${path}`);
    if (trouble === 'failing') return json(503, { message: 'Service unavailable' });
    if (trouble === 'hanging up') return void request.socket.destroy();
    if (trouble === 'no JSON') return void response.writeHead(200).end('<html>');
    if (trouble === 'endless') {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      return more();
    }
    const issuer = issuerAt(host, path);
    if (path.endsWith('/.well-known/openid-configuration') && issuer !== undefined)
      return json(200, metadata(host, path, issuer));
    if (path.endsWith('/keys')) {
      const jwk = keys.publicKey.export({ format: 'jwk' });
      return json(200, { keys: [{ ...jwk, kid: keys.kid, alg: 'RS256', use: 'sig' }] });
    }
    if (path.endsWith('/token') || path === '/login/oauth/access_token') {
      const { status, body } = exchange(host, new URLSearchParams(await textOf(request)));
      return json(status, body);
    }
    const grant = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '');
    if (!grant) return json(401, { message: 'Bad credentials' });
    const { sub, email, isVerified = true } = grant.account;
    if (path.endsWith('/userinfo')) return json(200, { sub, email, email_verified: isVerified });
    if (path === '/user') return json(200, { id: Number(sub), login: `user-${sub}`, email: null });
    if (path === '/user/emails')
      return json(200, [
        { email: 'another@example.org', primary: false, verified: true, visibility: null },
        ...(email === undefined
          ? []
          : [{ email, primary: true, verified: isVerified, visibility: 'private' }]),
      ]);
    json(404, { message: 'Not Found' });
  };

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    secret,
    appleKey: apple.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    calls,
    become: (account) => (visitor = account),
    agree: (address) => browse(address, true),
    refuse: (address) => browse(address, false),
    expire: (code) => {
      const grant = grants.get(code);
      if (grant) grant.isOld = true;
    },
    rotate: () => (keys = rsa()),
    feel: (next) => (trouble = next),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
