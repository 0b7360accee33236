/** The tokens with which products read their own texts and notifications. */
import { byId, object } from '@quarterdeck/events/inputs';
import { publicTokenView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

const ofProduct = object({ product: byId });
const ofShop = { product: { id: demo.product } } as const;

export const publicTokens = calls('public-token', 'admin', {
  list: {
    summary: 'The tokens of a product that are not revoked, newest first',
    input: ofProduct,
    example: ofShop,
    answer: z.array(publicTokenView.extend({ uses: z.int().optional() })),
    shows: ['publicTokens', 'products'],
    asOf: true,
    wide: true,
  },
  issue: {
    summary: 'A token by which a product reads its texts and notifications until it is revoked; shown once',
    input: ofProduct,
    example: ofShop,
    answer: z
      .strictObject({ id: z.string(), uuid: z.string(), token: z.string() })
      .meta({ id: 'IssuedToken' }),
    stales: 'publicTokens',
    wide: true,
    receipt: false,
  },
  revoke: {
    summary: 'Revokes a token',
    input: byId,
    example: { id: demo.publicToken },
    answer: ids,
    stales: 'publicTokens',
  },
});
