/**
 * SIGN_UP: who may make a workspace by signing in with a provider, and so become its administrator. `anybody`, `nobody`,
 * or a list of e-mail domains (`example.org`) and GitHub organisations (`github:acme`).
 */
import type { z } from 'zod';

export type SignUpRule =
  | { who: 'anybody' | 'nobody' }
  | { who: 'listed'; domains: readonly string[]; organizations: readonly string[] };

/** What a provider has verified about somebody who signs up. */
export interface Verified {
  emails: readonly string[];
  /** GitHub organisations. Only those that the rule lists are looked up. */
  organizations: readonly string[];
}

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const ORGANIZATION = /^github:([a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?)$/;

export const parseSignUp = (value: string, context: z.RefinementCtx<string>): SignUpRule => {
  const entries = value
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const [only] = entries;
  if (entries.length === 1 && (only === 'anybody' || only === 'nobody')) return { who: only };
  const organizations = entries.flatMap((entry) => ORGANIZATION.exec(entry)?.[1] ?? []);
  const domains = entries.filter((entry) => DOMAIN.test(entry));
  if (entries.length === 0 || organizations.length + domains.length < entries.length)
    context.addIssue({
      code: 'custom',
      message:
        'is not anybody, nobody, or a list of e-mail domains and GitHub organisations such as example.org,github:acme',
    });
  return { who: 'listed', domains, organizations };
};

/** A rule that nobody could ever meet, in words. */
export const signUpProblem = (config: {
  SIGN_UP?: SignUpRule | undefined;
  GITHUB_CLIENT_ID?: string | undefined;
}): string | undefined =>
  config.SIGN_UP?.who === 'listed' && config.SIGN_UP.organizations.length > 0 && !config.GITHUB_CLIENT_ID
    ? 'SIGN_UP lists a GitHub organisation: GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are missing'
    : undefined;

/** Subdomains do not count: somebody else may give out addresses there. */
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

export const maySignUp = (rule: SignUpRule, { emails, organizations }: Verified): boolean =>
  rule.who === 'listed'
    ? emails.some((email) => rule.domains.includes(domainOf(email))) ||
      organizations.some((name) => rule.organizations.includes(name.toLowerCase()))
    : rule.who === 'anybody';
