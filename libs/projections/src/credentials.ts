/** What each person has stored of an account at the source-code host, by reference: the values lie in the vault. */
import { streamParts, type CredentialKey, type Position } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection } from './define-projection';

export const storedCredential = z.strictObject({
  secret: catalogue.CredentialStored.schema.shape.secret,
  storedAt: z.string(),
});
export interface StoredCredential extends z.infer<typeof storedCredential> {}

export interface CredentialsView {
  /** The person's. */
  id: string;
  workspace: string;
  values: { [K in CredentialKey]?: StoredCredential };
  revision: number;
  position: Position;
}

/** What one value looks like from outside. */
export const credentialValue = z.strictObject({
  /** Of the user name in clear, of the token seven asterisks; empty when nothing is stored. */
  value: z.string(),
  /** Of the token. */
  fingerprint: z.string().optional(),
  storedAt: z.string().optional(),
});
export interface CredentialValue extends z.infer<typeof credentialValue> {}

/** What is known of the token that somebody stored. `null`: the source host has not told. */
export const tokenValidity = z.strictObject({
  scopes: z.array(z.string()),
  /** ISO instant; also `null` of a token that does not expire. */
  expirationDate: z.string().nullable(),
  dateValid: z.boolean().nullable(),
  scopesOk: z.boolean().nullable(),
  expectedScopes: z.array(z.string()),
  /** Whole days until it expires. */
  daysLeft: z.number().optional(),
  /** What is wrong with the credentials, in sentences for their owner. */
  warnings: z.array(z.string()),
  /** What else there is to know: the kind of the token, or that the source host could not be asked. */
  notes: z.array(z.string()),
  /** When the source host last told. */
  checkedAt: z.string().optional(),
  /** Where the source host makes tokens. */
  tokenPage: z.string(),
});
export interface TokenValidity extends z.infer<typeof tokenValidity> {}

export const credentials = defineProjection<CredentialsView>({
  name: 'credentials',
  version: 1,
  columns: {},
  indexes: ['(workspace)'],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'credentials' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    const values = view?.values ?? {};
    switch (event.type) {
      case 'CredentialStored': {
        const { key: name, secret } = event.data;
        return { id: key, workspace, values: { ...values, [name]: { secret, storedAt: at } }, ...place };
      }
      case 'CredentialRemoved': {
        const { [event.data.key]: _gone, ...rest } = values;
        return { id: key, workspace, values: rest, ...place };
      }
      default:
        return view;
    }
  },
});
