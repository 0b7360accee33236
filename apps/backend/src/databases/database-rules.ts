/**
 * Refuses private keys: certificates are public and stay in the log for ever, where a private key must not be. Pure.
 */
import { plainSecretIn, type database, type ValuesOf } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Rules } from '../platform/kit';

export const databaseRules: Rules<ValuesOf<typeof database>> = {
  decide: ({ data }, plain) => {
    const found = plainSecretIn(data?.certificate ?? '');
    if (found) throw invalidField('certificate', `line ${found.line} looks like ${found.what}: leave it out`);
    return plain();
  },
};
