/** The tokens with which products read their own texts and notifications. */
import { z } from 'zod';
import { tokenRows, tokenView } from './token-rows';

export const publicTokenView = z
  .strictObject({
    ...tokenView,
    workspace: z.string(),
    product: z.strictObject({ id: z.string() }),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'PublicToken' });
export interface PublicTokenView extends z.infer<typeof publicTokenView> {}

interface StoredPublicToken extends PublicTokenView {
  /** Copy of the product's id. */
  productId: string;
}

export const publicTokens = tokenRows<'PublicToken', StoredPublicToken>({
  name: 'public_tokens',
  category: 'publictoken',
  stem: 'PublicToken',
  owner: 'productId',
  fields: ({ product: { id } }) => ({ product: { id }, productId: id }),
});
