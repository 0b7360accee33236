import type { Answer, auth } from '@quarterdeck/contract';

/** A sign-in provider configured in this installation. */
export type ProviderView = Answer<typeof auth.providers>[number];
