/**
 * DigitalOcean's OAuth: consent, exchange of a code, refresh and revocation. Each refresh token works once, as at the
 * provider.
 */
import { randomBytes } from 'node:crypto';

export interface Token {
  scopes: string[];
  /** Of a token by OAuth. */
  refresh?: string;
  isExpired?: boolean;
}

const SECONDS = 2_592_000;

export class OAuth {
  readonly clientId = 'the-client-of-the-console';
  readonly clientSecret = 'the-secret-of-the-client';
  /** Accepted tokens, by their text. */
  readonly tokens = new Map<string, Token>();
  private readonly codes = new Map<string, { redirect: string; scopes: string[] }>();

  /** Gives consent at an address of `/v1/oauth/authorize`. @returns the query that the browser is sent back with */
  agree(address: string): URLSearchParams {
    const { searchParams: asked } = new URL(address);
    if (asked.get('client_id') !== this.clientId) throw new Error('the provider knows no such client');
    if (asked.get('response_type') !== 'code') throw new Error('the provider was asked for no code');
    const code = randomBytes(16).toString('hex');
    const redirect = asked.get('redirect_uri') ?? '';
    this.codes.set(code, { redirect, scopes: (asked.get('scope') ?? 'read').split(' ') });
    return new URLSearchParams({ code, state: asked.get('state') ?? '' });
  }

  /** The page of consent, as a person sees it in a browser. */
  page(address: string): string {
    const back = (query: URLSearchParams): string => {
      const to = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of query) to.searchParams.set(name, value);
      return to.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    };
    const state = new URL(address).searchParams.get('state') ?? '';
    return `<!doctype html><html lang="en"><title>Authorize</title><link rel="icon" href="data:,">
      <h1>Authorize Quarterdeck</h1><a href="${back(this.agree(address))}">Authorize application</a>
      <a href="${back(new URLSearchParams({ error: 'access_denied', state }))}">Cancel</a></html>`;
  }

  /** POST `/v1/oauth/token` or `/v1/oauth/revoke`. @returns status and body */
  call(path: string, given: URLSearchParams, bearer: string | undefined): [status: number, body: unknown] {
    if (path.endsWith('/revoke')) {
      if (bearer === undefined || !this.tokens.has(bearer)) return [401, { error: 'invalid_token' }];
      this.tokens.delete(given.get('token') ?? bearer);
      return [200, {}];
    }
    const refusal: [number, unknown] = [
      401,
      { error: 'invalid_grant', error_description: 'The grant is invalid.' },
    ];
    if (given.get('client_id') !== this.clientId || given.get('client_secret') !== this.clientSecret)
      return [401, { error: 'invalid_client', error_description: 'The client is unknown.' }];
    if (given.get('grant_type') === 'authorization_code') {
      const code = this.codes.get(given.get('code') ?? '');
      this.codes.delete(given.get('code') ?? '');
      return code && code.redirect === given.get('redirect_uri') ? this.grant(code.scopes) : refusal;
    }
    for (const [text, token] of this.tokens) {
      if (token.refresh === undefined || token.refresh !== given.get('refresh_token')) continue;
      this.tokens.delete(text);
      return this.grant(token.scopes);
    }
    return refusal;
  }

  private grant(scopes: string[]): [number, unknown] {
    const [access, refresh] = [
      `doo_v1_${randomBytes(32).toString('hex')}`,
      `dor_v1_${randomBytes(32).toString('hex')}`,
    ];
    this.tokens.set(access, { scopes, refresh });
    return [
      200,
      {
        access_token: access,
        refresh_token: refresh,
        token_type: 'bearer',
        expires_in: SECONDS,
        scope: scopes.join(' '),
        info: {
          name: 'Ada',
          email: 'ops@example.org',
          uuid: 'b6fr89db',
          team_uuid: '5df3e300',
          team_name: 'Example team',
        },
      },
    ];
  }
}
