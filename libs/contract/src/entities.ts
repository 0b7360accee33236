/** Calls about a data model as a whole, in addition to the kit's calls for each of its nouns. */
import { attribute, entity } from '@quarterdeck/events';
import { byId, object, optionalText, text, uuid } from '@quarterdeck/events/inputs';
import { viewSchemaOf, type ViewOf } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, position } from './demo';

const named = z.object({ id: z.string(), name: z.string() });

/** An attribute with its entity. */
export type AttributeWithEntity = Omit<ViewOf<typeof attribute>, 'entity'> & {
  entity: z.infer<typeof named>;
};

// The kit makes schemas from data, so the compiler does not know their shape.
const withEntity = z.array(
  viewSchemaOf(attribute).extend({ entity: named }).meta({ id: 'AttributeWithEntity' }),
) as unknown as z.ZodType<AttributeWithEntity[]>;

/** Change since the earlier instant of a comparison. Removed parts are shown in their earlier state. */
const change = z.enum(['added', 'removed', 'changed']).optional();

const reads = { asOf: true } as const;

export const attributes = calls(attribute.path, 'admin', {
  listAssociated: {
    summary: 'The attributes of other entities that point to an entity, or take a value of an option set',
    costs: 'work',
    input: byId,
    example: { id: demo.entity },
    answer: withEntity,
    shows: ['attributes', 'entities', 'optionSets'],
    wide: true,
    ...reads,
  },
  listWEntity: {
    summary: 'All attributes of a product with their entities, in order',
    costs: 'work',
    input: object({ product: byId }),
    example: { product: { id: demo.product } },
    answer: withEntity,
    shows: ['attributes', 'entities', 'optionSets'],
    ...reads,
  },
});

export const entities = calls(entity.path, 'admin', {
  visualization: {
    summary:
      'The data model of a product as a graph; `since`: what was changed since that instant or position',
    costs: 'work',
    input: object({ product: byId, since: optionalText(40) }),
    example: { product: { id: demo.product }, since: position },
    answer: z.object({
      dataModel: z.array(
        named.extend({
          fields: z.array(named.extend({ type: z.int(), optional: z.boolean(), change })),
          change,
        }),
      ),
      relations: z.array(
        z.object({ id: z.string(), name: z.string(), source: z.string(), target: z.string(), change }),
      ),
    }),
    shows: ['attributes', 'entities'],
    ...reads,
  },
  duplicate: {
    summary:
      'Adds an entity with all attributes of another one; what points to that one itself points to the new one',
    costs: 'work',
    input: object({ id: uuid, data: object({ name: text(100) }) }),
    example: { id: demo.entity, data: { name: 'Archived order' } },
    answer: ids,
    stales: ['attributes', 'entities'],
  },
});
