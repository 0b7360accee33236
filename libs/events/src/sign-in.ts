/** What both sides say about signing in. */

export const signInProviders = ['github', 'google'] as const;
export type SignInProvider = (typeof signInProviders)[number];

/** As buttons and sentences have them. */
export const providerNames: Readonly<Record<SignInProvider, string>> = { github: 'GitHub', google: 'Google' };

/**
 * Why nobody was let in, beside the words of the specification: `refused` at the provider by the person himself;
 * `expired`, used up, or begun in another browser; `no-member` of the workspace; `other-provider` is the one that the
 * person is known by; `links-off`: one-time links are for installations without a provider.
 */
export type SignInDenial = 'refused' | 'expired' | 'no-member' | 'other-provider' | 'links-off';

/** Somebody's session, as he may see it. */
export interface SessionView {
  id: string;
  /** Browser and system in words. */
  device: string;
  /** `link`, `invitation`, or the provider. */
  via: string;
  /** The one that asks. */
  current: boolean;
  startedAt: string;
  lastUsedAt: string;
  /** Without a further call. */
  endsWhenIdleAt: string;
  endsAt: string;
}

/** An account at a provider by which somebody may sign in, as he may see it: whose it is there, is told to nobody. */
export interface AccountView {
  provider: SignInProvider;
  connectedAt: string;
}
