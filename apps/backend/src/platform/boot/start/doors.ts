/** What a start says about who comes in. */
import { trustedProxies } from '../../caller-address';
import type { Logger } from '../../tokens';
import { type Config, hasSignInProvider } from '../../config';

export const tellDoors = (config: Config, logger: Logger): void => {
  if (config.PUBLIC_URL !== undefined || config.TRUSTED_PROXIES !== undefined)
    logger.info(
      { proxies: trustedProxies(config) },
      'X-Forwarded-For is believed from these proxies; TRUSTED_PROXIES names them',
    );
  if (hasSignInProvider(config) && config.SIGN_UP === undefined)
    logger.warn(
      'SIGN_UP is not set: anybody with an account at a sign-in provider can make a workspace here, and administers it; set it to anybody, nobody, or a list such as example.org,github:acme',
    );
};
