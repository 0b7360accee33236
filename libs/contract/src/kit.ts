/**
 * The seven calls of a noun of the kit, and one for each of its commands. `callsOf(product).list` always returns the
 * same object.
 */
import {
  commandLabel,
  fieldsOfKind,
  hasShownSecrets,
  inWords,
  nounOf,
  plainNouns,
  type CommandsOf,
  type InputOf,
  type PlainNoun,
  type ReadModel,
  type StateOf,
} from '@quarterdeck/events';
import {
  byId,
  integer,
  listPage,
  listPageWithin,
  nothing,
  object,
  optionalText,
  text,
  uuid,
} from '@quarterdeck/events/inputs';
import { fieldsInput } from '@quarterdeck/events/kit';
import {
  listPageOf,
  viewSchemaOf,
  type ListAsked,
  type ListPage,
  type PlainView,
} from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls, type Call, type Change, type Read } from './call';
import { demo, page } from './demo';
import { parentOf, valuesOf } from './kit-examples';
import { gathered, ownOnly, renamed, unfiltered, unkeyed, withoutBlanks, withParent } from './specified';

interface Ids {
  id: string;
  uuid: string;
}
/** The parent: `{ product: { id } }`. */
type Parent<Within extends string> = { [W in Within]: { id: string } };

interface Update<V> {
  id: string;
  data: V;
  /** The revision that the editor saw. A later change by somebody else is a conflict. */
  revision?: number | undefined;
}
/** The name, typed by the operator as confirmation. */
type Removal<Named extends string> = { id: string } & { [K in Named]?: string | undefined };

type Reads<Asked, Answer> = Read<Asked, Asked, Answer>;
type Changes<Asked, Answer = Ids> = Change<Asked, Asked, Answer>;

export interface NounCalls<V, Named extends string, Within extends string, State = unknown> {
  readonly list: Reads<Partial<Parent<Within>>, (PlainView<V, Within> & State)[]>;
  readonly page: Reads<Partial<Parent<Within>> & ListAsked, ListPage<PlainView<V, Within> & State>>;
  readonly detail: Reads<{ id: string }, PlainView<V, Within> & State>;
  readonly insert: Changes<{ data: V } & Parent<Within>>;
  readonly update: Changes<Update<V>>;
  readonly delete: Changes<Removal<Named>>;
  readonly restore: Changes<{ id: string }>;
  /** Only for nouns with secrets: returns a secret, and records that it was viewed. */
  readonly reveal: Changes<{ id: string; field: string }, { value: string }>;
}

export type CallsOf<P> =
  P extends PlainNoun<string, infer V, infer Named, infer Within, string>
    ? NounCalls<V, Named, Within, StateOf<P>> & CommandCalls<CommandsOf<P>>
    : never;

/** `data` is absent from a command without input. */
type CommandCalls<C> = {
  readonly [K in keyof C]: Changes<
    { id: string; revision?: number | undefined } & (keyof InputOf<C[K]> extends never
      ? { data?: undefined }
      : { data: InputOf<C[K]> })
  >;
};

/** The calls of a noun without its types, for code that serves every noun. */
export type AnyNounCalls = NounCalls<Readonly<Record<string, unknown>>, string, never> &
  Readonly<Record<string, Call | undefined>>;

/** What a noun whose read model is not the kit's answers, and how its calls are described. */
export interface OwnAnswers<View, Row> {
  view: z.ZodType<View>;
  /** On a page of the list. */
  row: z.ZodType<Row>;
  summaries: Readonly<Record<OwnCall, string>>;
}
type OwnCall = 'list' | 'page' | 'detail' | 'insert' | 'update' | 'delete';

type OwnCalls<V, Named extends string, View, Row> = {
  readonly list: Reads<Record<never, never>, View[]>;
  readonly page: Reads<ListAsked, ListPage<Row>>;
  readonly detail: Reads<{ id: string }, View>;
  readonly insert: Changes<V>;
} & Pick<NounCalls<V, Named, never>, 'update' | 'delete'>;

/** The calls of a noun with a read model of its own, which takes the fields of a new record flat. */
export const ownCalls = <V, Named extends string, View, Row>(
  noun: PlainNoun<string, V & object, Named>,
  own: OwnAnswers<View, Row>,
): OwnCalls<V, Named, View, Row> => {
  const { restore: _restore, ...all } = declared(noun as unknown as PlainNoun);
  const answers = { list: z.array(own.view), page: listPageOf(own.row), detail: own.view };
  const described = Object.entries(all).map(([key, call]) => {
    const { specified: _specified, ...rest } = call;
    const answer = answers[key as keyof typeof answers] ?? call.answer;
    return [key, { ...rest, answer, summary: own.summaries[key as OwnCall] ?? call.summary }];
  });
  return Object.fromEntries(described) as unknown as OwnCalls<V, Named, View, Row>;
};

/** The calls of a noun, listed or not. */
export const declared = (noun: PlainNoun): Record<string, Call> => {
  const { category, path, rows, named, within, inOrder, parentAs, audience, changedBy, fields, flat } = noun;
  const view = viewSchemaOf(noun);
  const data = fieldsInput(noun);
  const [blanks, keys] = [withoutBlanks(fields), unkeyed(fields)];
  const parent = within === undefined ? {} : { [within]: byId };
  const what = inWords(category);
  const id = demo[category as 'product'];
  // The compiler does not know the shape of schemas that are made from data.
  const about = parentOf(noun) as Record<string, never>;
  const values = valuesOf(noun, 'Shop');
  // The answers also show names of referenced records and the order kept by the parent.
  const others = [
    ...fieldsOfKind(fields, 'reference').map(([, { to = '' }]) => to),
    ...(inOrder === undefined || within === undefined ? [] : [within]),
    ...(parentAs === undefined || within === undefined ? [] : [within]),
  ].flatMap((other) => nounOf(other)?.rows ?? []);
  const shows = [...new Set([rows, ...others])] as ReadModel[];
  const reads = { access: audience, shows, asOf: true } as const;
  const inside = Object.values(noun.parts).flatMap((part) => nounOf(part)?.rows ?? []) as ReadModel[];
  const whole = { ...reads, shows: [...new Set([...shows, ...inside])] };
  const changes = { answer: ids, stales: rows as ReadModel } as const;
  const revision = integer().optional();
  const commands = Object.entries(noun.commands).flatMap(([name, { takes, summary, access, hasCall }]) => {
    if (hasCall === false) return [];
    const isEmpty = Object.keys(takes).length === 0;
    const input = object({ id: uuid, ...(!isEmpty && { data: fieldsInput({ fields: takes }) }), revision });
    const example = { id, ...(!isEmpty && { data: valuesOf({ fields: takes }, 'Shop') }) };
    const described = { summary: summary ?? `${commandLabel(name, {})}: a ${what}`, input, example };
    return [[name, { ...described, ...changes, ...(access && { access }) }] as const];
  });
  return calls(path, changedBy, {
    list: {
      summary: `The ${inWords(rows)}, by name`,
      input: within === undefined ? nothing : object({ [within]: byId.optional() }),
      specified: (body) => withParent(within)(unfiltered(body)),
      ...(within !== undefined && { example: about }),
      answer: z.array(view),
      ...whole,
    },
    page: {
      summary: `One page of the ${inWords(rows)}`,
      input: within === undefined ? listPage : listPageWithin({ [within]: byId.optional() }),
      example: { ...about, ...page },
      answer: listPageOf(view),
      ...reads,
    },
    detail: {
      summary: `One ${what}`,
      input: byId,
      example: { id },
      answer: view,
      ...whole,
      ...(others.length + inside.length > 0 && { wide: true }),
    },
    insert: {
      summary: `Adds a ${what}`,
      input: flat ? data : object({ data, ...parent }),
      example: flat ? values : { data: values, ...about },
      specified: (body) => blanks(keys(gathered(within)(renamed(parentAs, within)(body)))),
      ...changes,
    },
    update: {
      summary: `Renames or revises a ${what}`,
      input: object({ id: uuid, data: fieldsInput(noun, 'edited'), revision }),
      example: { id, data: values, revision: 3 },
      specified: (body) => blanks(keys(ownOnly(parentAs)(unfiltered(body)))),
      ...changes,
    },
    delete: {
      summary: `Removes a ${what}; \`${named}\` is what was typed to confirm`,
      input: object({ id: uuid, [named]: optionalText(flat ? fields[named]?.max : undefined) }),
      example: { id, [named]: 'Shop' },
      ...(parentAs !== undefined && { specified: ownOnly(parentAs) }),
      ...changes,
    },
    restore: { summary: `Restores a removed ${what}`, input: byId, example: { id }, ...changes },
    ...(hasShownSecrets(noun) && {
      reveal: {
        summary: `Shows a secret of a ${what}, and records that`,
        input: object({ id: uuid, field: text(50) }),
        example: { id, field: fieldsOfKind(fields, 'secret')[0]?.[0] ?? '' },
        answer: z.object({ value: z.string() }),
        access: 'admin',
        stales: [],
        receipt: false,
      },
    }),
    ...Object.fromEntries(commands),
  });
};

/** Calls of all plain nouns, by category. */
export const plainCalls: Readonly<Record<string, Record<string, Call>>> = Object.fromEntries(
  plainNouns.map((noun) => [noun.category, declared(noun)]),
);

export const callsOf = <P extends Pick<PlainNoun, 'category'>>({ category }: P): CallsOf<P> =>
  plainCalls[category] as unknown as CallsOf<P>;
