/** A call about products, in addition to the kit's calls. */
import { product, service } from '@quarterdeck/events';
import { nothing } from '@quarterdeck/events/inputs';
import { viewSchemaOf, type ViewOf } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';

export type ProductWithServices = ViewOf<typeof product> & { services: ViewOf<typeof service>[] };

// The kit makes schemas from data, so the compiler does not know their shape.
const withServices = z.array(
  viewSchemaOf(product)
    .extend({ services: z.array(viewSchemaOf(service)) })
    .meta({ id: 'ProductWithServices' }),
) as unknown as z.ZodType<ProductWithServices[]>;

export const products = calls(product.path, 'admin', {
  listWServices: {
    summary: 'The products by name, each with its services',
    input: nothing,
    answer: withServices,
    shows: ['products', 'services', 'servers'],
    asOf: true,
  },
});
