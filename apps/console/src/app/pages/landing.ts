/** Where somebody comes to who has signed in. */
import { paths } from '../../core/paths';
import { allows } from '../../core/session';
import type { SessionValue } from '../../core/session-state';

/** Only a path of this console: a link must not lead elsewhere after sign-in. */
export const safeReturn = (wanted: string | null | undefined): string | undefined =>
  wanted && /^\/(?:app|superadmin)(?:[/?#]|$)/.test(wanted) ? wanted : undefined;

/**
 * By permission, as the specification has it: a superadmin to their own area, everybody else home. Who had asked for a
 * page before is brought there. `undefined`: the account belongs to the users of a product, who have no console.
 */
export const landingOf = (
  { permissions, profile }: Pick<SessionValue, 'permissions' | 'profile'>,
  wanted?: string | null,
): string | undefined => {
  const superadmin = allows(permissions, 'superadmin');
  if (profile.instance.product && !superadmin) return undefined;
  return safeReturn(wanted) ?? (superadmin ? paths.superadmin() : paths.home());
};
