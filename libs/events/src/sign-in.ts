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

/** A session, as its owner sees it. */
export interface SessionView {
  id: string;
  /** Name of the browser and the system. */
  device: string;
  /** `link`, `invitation`, or the provider. */
  via: string;
  /** The session that makes this request. */
  current: boolean;
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
