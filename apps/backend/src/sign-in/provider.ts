/**
 * One provider: the code flow with state, PKCE and, for OpenID Connect, a nonce. Providers differ in their addresses
 * and in how they identify people.
 */
import { providerNames, type SignInProvider } from '@quarterdeck/events';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ResponseBodyError,
  type Configuration,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { ProviderIdentity } from '../people';
import type { Verified } from '../platform/config';
import { DomainError } from '../platform/errors';
import { denied } from '../sessions';

/** A provider's data about a person who has just signed in there. */
export interface ProvenIdentity extends ProviderIdentity {
  /** The provider's id of the account, which stays the same when login and e-mail change. */
  subject: string;
  /** What may let them make a workspace. */
  verified: Verified;
}

/** Known only to this side until the browser returns. */
export interface Secrets {
  state: string;
  nonce: string;
  verifier: string;
}

interface Purpose {
  /** Whether the sign-in makes a workspace. */
  creates: boolean;
}

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

export interface ProviderSettings {
  name: SignInProvider;
  scope: string;
  /** Asked for in addition by those who make a workspace. */
  signUpScope?: string;
  /** Whether the provider sends an ID token, which contains the nonce. */
  openId: boolean;
  configuration(): Promise<Configuration>;
  read(configuration: Configuration, tokens: Tokens, purpose: Purpose): Promise<ProvenIdentity>;
}

/** The code is used up, expired, or was never given to this browser. */
const spent = new Set(['invalid_grant', 'bad_verification_code']);

const upstream = (msg: string, code: string): DomainError =>
  new DomainError('upstream', msg, undefined, { code });

export class Provider {
  readonly name: SignInProvider;
  /** Label of the button. */
  readonly label: string;

  constructor(private readonly settings: ProviderSettings) {
    this.name = settings.name;
    this.label = providerNames[settings.name];
  }

  /** The address that the browser opens. @throws DomainError `upstream` */
  async addressFor(
    redirectUri: string,
    { state, nonce, verifier }: Secrets,
    { creates }: Purpose,
  ): Promise<string> {
    const configuration = await this.asked(() => this.settings.configuration());
    const { scope, signUpScope } = this.settings;
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: creates && signUpScope !== undefined ? `${scope} ${signUpScope}` : scope,
      response_type: 'code',
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(this.settings.openId ? { nonce } : {}),
    }).href;
  }

  /**
   * @param callback the redirect URI with everything that the provider added
   * @throws DomainError `unauthenticated` if it identifies nobody, `upstream` if it fails
   */
  identify(callback: URL, { state, nonce, verifier, creates }: Secrets & Purpose): Promise<ProvenIdentity> {
    return this.asked(async () => {
      const configuration = await this.settings.configuration();
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(this.settings.openId ? { expectedNonce: nonce, idTokenExpected: true } : {}),
      });
      return this.settings.read(configuration, tokens, { creates });
    });
  }

  private async asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  private refusalFor(error: unknown): unknown {
    if (error instanceof AuthorizationResponseError)
      return error.error === 'access_denied'
        ? denied('refused')
        : upstream(`${this.label} could not sign you in: ${wordOf(error.error)}`, 'provider-error');
    if (error instanceof ResponseBodyError)
      return spent.has(error.error)
        ? denied('expired')
        : upstream(`${this.label} refuses this installation: ${wordOf(error.error)}`, 'provider-refuses');
    if (error instanceof DomainError) return error;
    if (!(error instanceof ClientError)) return error;
    if (error.cause instanceof DomainError) return error.cause;
    // Details of a mismatch go to the log: they mean nothing to the person who signs in.
    return Object.assign(
      upstream(`${this.label} gave an answer that could not be verified`, error.code ?? 'provider-answer'),
      { cause: error },
    );
  }
}

/** An OAuth error code, and nothing else that a provider might send. */
const wordOf = (code: string): string => (/^[\w-]{1,60}$/.test(code) ? code : 'unknown error');
