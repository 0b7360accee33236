/** The tokens with which products read their own texts and notifications. */
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const publicTokenView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    product: z.strictObject({ id: z.string() }),
    fingerprint: z.string(),
    issuedAt: z.string(),
    issuedBy: z.string(),
    /** The first use on the most recent day of use. */
    usedAt: z.string().optional(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'PublicToken' });
export interface PublicTokenView extends z.infer<typeof publicTokenView> {}

export interface StoredPublicToken extends PublicTokenView {
  /** Copy of the product's id. */
  productId: string;
}

export const publicTokens = defineProjection<StoredPublicToken>({
  name: 'public_tokens',
  version: 1,
  columns: { productId: 'text' },
  indexes: ['(workspace, "productId")'],
  ...rowPerStream('publictoken'),
  evolve: (view, { type, data, meta, revision, position }, id) => {
    if (type === 'PublicTokenIssued') {
      const { product, fingerprint } = data;
      return {
        id,
        workspace: meta.workspace,
        product: { id: product.id },
        productId: product.id,
        fingerprint,
        issuedAt: meta.at,
        issuedBy: meta.actor,
        revision,
        position,
      };
    }
    if (!view || type === 'PublicTokenRevoked') return undefined;
    return type === 'PublicTokenUsed' ? { ...view, usedAt: meta.at, revision, position } : view;
  },
});
