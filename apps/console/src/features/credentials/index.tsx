import { part } from '../../ui/part';

/** For the settings page. */
export const CredentialsSection = part(() => import('./CredentialsSection'), 'Loading credentials');

/** For the frame of every page. */
export { default as CredentialBanner } from './CredentialBanner';
