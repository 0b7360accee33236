/** The page to open after sign-in. */
import { paths } from '../../core/paths';
import { allows } from '../../core/session';
import type { SessionValue } from '../../core/session-state';

/** Accepts only paths of this console, since a sign-in link must not redirect elsewhere. */
export const safeReturn = (wanted: string | null | undefined): string | undefined =>
  wanted && /^\/(?:app|superadmin)(?:[/?#]|$)/.test(wanted) ? wanted : undefined;

/**
 * The page of the second factor, if it is due. Otherwise the wanted page, if any. Otherwise, by the specification, `/superadmin` for superadmins and home for everybody else.
 * `undefined` if the account belongs to a user of a product, who has no access to the console.
 */
export const landingOf = (
  { permissions, profile, lacks }: Pick<SessionValue, 'permissions' | 'profile' | 'lacks'>,
  wanted?: string | null,
): string | undefined => {
  const safe = safeReturn(wanted);
  if (lacks) return paths.secondFactor(safe === undefined ? {} : { return: safe });
  const superadmin = allows(permissions, 'superadmin');
  if (profile.instance.product && !superadmin) return undefined;
  return safe ?? (superadmin ? paths.superadmin() : paths.home());
};
