/** The six calls of a plain noun. `callsOf(product).list` is the same object for everybody who asks. */
import { inWords, plainNouns, type PlainNoun, type ReadModel } from '@quarterdeck/events';
import { byId, integer, object, optionalText, uuid } from '@quarterdeck/events/inputs';
import { fieldsInput } from '@quarterdeck/events/kit';
import { viewSchemaOf, type Kept } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls, type Call, type Change, type Read } from './call';

interface Ids {
  id: string;
  uuid: string;
}
/** The parent: `{ product: { id } }`. */
type Parent<Within extends string> = { [W in Within]: { id: string } };

interface Update<V> {
  id: string;
  data: V;
  /** The one that the editor saw. Another change since then is a conflict. */
  revision?: number | undefined;
}
/** The name, as it was typed to confirm. */
type Removal<Named extends string> = { id: string } & { [K in Named]?: string | undefined };

export interface NounCalls<V, Named extends string, Within extends string> {
  readonly list: Read<
    Partial<Parent<Within>>,
    Partial<Parent<Within>>,
    (Kept & V & { [W in Within]: string })[]
  >;
  readonly detail: Read<{ id: string }, { id: string }, Kept & V & { [W in Within]: string }>;
  readonly insert: Change<{ data: V } & Parent<Within>, { data: V } & Parent<Within>, Ids>;
  readonly update: Change<Update<V>, Update<V>, Ids>;
  readonly delete: Change<Removal<Named>, Removal<Named>, Ids>;
  readonly restore: Change<{ id: string }, { id: string }, Ids>;
}

export type CallsOf<P> =
  P extends PlainNoun<string, infer V, infer Named, infer Within, string>
    ? NounCalls<V, Named, Within>
    : never;

const declare = (noun: PlainNoun): Record<string, Call> => {
  const { category, path, rows, named, within, audience } = noun;
  const view = viewSchemaOf(noun);
  const data = fieldsInput(noun);
  const parent = within === undefined ? {} : { [within]: byId };
  const optionalParent = within === undefined ? {} : { [within]: byId.optional() };
  const what = inWords(category);
  const reads = { access: audience, shows: rows as ReadModel, asOf: true } as const;
  const changes = { access: 'admin', answer: ids, stales: rows as ReadModel } as const;
  return calls(path, {
    list: {
      summary: `The ${inWords(rows)}, by name`,
      input: object(optionalParent),
      answer: z.array(view),
      ...reads,
    },
    detail: { summary: `One ${what}`, input: byId, answer: view, ...reads },
    insert: { summary: `Adds a ${what}`, input: object({ data, ...parent }), ...changes },
    update: {
      summary: `Renames or revises a ${what}`,
      input: object({ id: uuid, data, revision: integer().optional() }),
      ...changes,
    },
    delete: {
      summary: `Removes a ${what}; \`${named}\` is what was typed to confirm`,
      input: object({ id: uuid, [named]: optionalText() }),
      ...changes,
    },
    restore: { summary: `Restores a removed ${what}`, input: byId, ...changes },
  });
};

/** By the noun's category. */
export const plainCalls: Readonly<Record<string, Record<string, Call>>> = Object.fromEntries(
  plainNouns.map((noun) => [noun.category, declare(noun)]),
);

export const callsOf = <P extends Pick<PlainNoun, 'category'>>({ category }: P): CallsOf<P> =>
  plainCalls[category] as unknown as CallsOf<P>;
