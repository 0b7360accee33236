import type { Answer, auth } from '@quarterdeck/contract';

/** A provider that the installation has set up. */
export type ProviderView = Answer<typeof auth.providers>[number];
