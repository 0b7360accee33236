import { part } from '../../ui/part';

/** On the page of the settings. */
export const CredentialsSection = part(() => import('./CredentialsSection'), 'Loading credentials');

/** In the frame of every page. */
export { default as CredentialBanner } from './CredentialBanner';
