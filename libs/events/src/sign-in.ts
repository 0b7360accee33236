/** Sign-in terms shared by browser and back end. */

export const signInProviders = ['github', 'google'] as const;
export type SignInProvider = (typeof signInProviders)[number];

/** Names as they appear on buttons and in sentences. */
export const providerNames: Readonly<Record<SignInProvider, string>> = { github: 'GitHub', google: 'Google' };

/**
 * Why a sign-in failed, beside the reasons in the specification. `refused`: the person cancelled at the provider.
 * `expired`: expired, used up, or begun in another browser. `no-member`: not a member of the workspace.
 * `other-provider`: the person is known by another provider. `links-off`: one-time links work only in installations
 * without a provider. `no-sign-up`: this account may not make a workspace.
 */
export type SignInDenial =
  | 'refused'
  | 'expired'
  | 'no-member'
  | 'other-provider'
  | 'links-off'
  | 'no-sign-up';

/** `totp`: an authenticator app, which shows a new code every 30 seconds. */
export const factorKinds = ['totp', 'passkey'] as const;
export type FactorKind = (typeof factorKinds)[number];
/** How a person may give their second factor. */
export const proofKinds = [...factorKinds, 'recovery'] as const;
export type ProofKind = (typeof proofKinds)[number];

export const proofNames: Readonly<Record<ProofKind, string>> = {
  totp: 'authenticator app',
  passkey: 'passkey',
  recovery: 'recovery code',
};

/**
 * `due`: the person has a second factor, and has not given it in this session. `missing`: the workspace demands one,
 * and the person has none.
 */
export type FactorLack = 'due' | 'missing';
/** Codes of refusals for these reasons, and because the second factor was given too long ago. */
export const lackCodes: Readonly<Record<FactorLack, string>> = {
  due: 'second-factor-due',
  missing: 'second-factor-missing',
};
export const STALE_PROOF = 'second-factor-stale';

/** A session, as its owner sees it. */
export interface SessionView {
  id: string;
  /** Name of the browser and the system. */
  device: string;
  /** `link`, `invitation`, or the provider. */
  via: string;
  /** The session that makes this request. */
  current: boolean;
  /** The second factor was not given yet, so the session is good for nothing else. */
  waits?: true | undefined;
  startedAt: string;
  lastUsedAt: string;
  /** When the session ends if no further call arrives. */
  endsWhenIdleAt: string;
  endsAt: string;
}

/**
 * A person's account at a provider that they can sign in with, as its owner sees it. The login there is shown to
 * nobody.
 */
export interface AccountView {
  provider: SignInProvider;
  connectedAt: string;
}
