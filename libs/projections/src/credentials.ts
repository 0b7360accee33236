/** A person's stored credentials for the source-code host, by reference: the values are in the vault. */
import type { CredentialKey, Position } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const storedCredential = z.strictObject({
  secret: catalogue.CredentialStored.schema.shape.secret,
  storedAt: z.string(),
});
export interface StoredCredential extends z.infer<typeof storedCredential> {}

export interface CredentialsView {
  /** Id of the person. */
  id: string;
  workspace: string;
  values: { [K in CredentialKey]?: StoredCredential };
  revision: number;
  position: Position;
}

/** How one stored value is shown. */
export const credentialValue = z.strictObject({
  /** The user name in clear text, or seven asterisks for the token. Empty if nothing is stored. */
  value: z.string(),
  /** Fingerprint of the token. */
  fingerprint: z.string().optional(),
  storedAt: z.string().optional(),
});
export interface CredentialValue extends z.infer<typeof credentialValue> {}

/** Validity of a stored token. `null`: the source host did not report it. */
export const tokenValidity = z.strictObject({
  scopes: z.array(z.string()),
  /** ISO instant. Also `null` for a token that does not expire. */
  expirationDate: z.string().nullable(),
  dateValid: z.boolean().nullable(),
  scopesOk: z.boolean().nullable(),
  expectedScopes: z.array(z.string()),
  /** Whole days until it expires. */
  daysLeft: z.number().optional(),
  /** Problems of the credentials, as sentences for their owner. */
  warnings: z.array(z.string()),
  /** Other facts: the kind of token, or that the source host could not be reached. */
  notes: z.array(z.string()),
  /** When the source host last answered. */
  checkedAt: z.string().optional(),
  /** The page of the source host where people create tokens. */
  tokenPage: z.string(),
});
export interface TokenValidity extends z.infer<typeof tokenValidity> {}

export const credentials = defineProjection<CredentialsView>({
  name: 'credentials',
  version: 1,
  columns: {},
  indexes: ['(workspace)'],
  ...rowPerStream('credentials'),
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
