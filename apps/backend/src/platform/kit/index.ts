/** `@Module(plain(product))`: the back end of a noun of the kit, plain or rich. */
import { Controller, Header, Inject, type ModuleMetadata, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { capital, hasShownSecrets, inWords, type PlainNoun, type ValuesOf } from '@quarterdeck/events';
import { callsOf, type Answer, type AnyNounCalls, type Call } from '@quarterdeck/contract';
import { pageOf, type ListAsked, type ListPage } from '@quarterdeck/projections';
import { deciderHandlers, Decisions, Undoing } from '../decisions';
import { notFound } from '../errors';
import { Hooks } from '../hooks';
import { Answers, type Asker, done, withCurrentOnConflict, written } from '../http';
import { CLAIMS, DB, EVENT_STORE, PROJECTIONS, VAULT } from '../tokens';
import type { Claims } from '../decisions';
import type { EventStore, Pool, ProjectionRunner, Vault } from '../tokens';
import { PlainRecords } from './plain-records';
import { plainDecider, type Rules, type Values } from './plain.decider';
import { readsOf, type Reads, type View } from './plain.queries';

export { plainDecider, type PlainChange, type Rules, type Values } from './plain.decider';
export {
  afterRemoval,
  beforeEdit,
  beforeRemoval,
  judgedFields,
  PlainRecords,
  type Edited,
  type JudgeFields,
} from './plain-records';
export { detailOf, listOf, readsOf, referring, requireNamed, type Reads, type View } from './plain.queries';

/** Token that features inject to add, edit or remove things of a plain noun. */
export const recordsOf = ({ category }: Pick<PlainNoun, 'category'>): string => `things:${category}`;

/** The calls of a noun whose read model and answers are its own, and how they are answered. */
export interface OwnViews<C extends Record<'list' | 'page' | 'detail', Call>> {
  calls: C;
  reads: Reads<Answer<C['detail']>, RowIn<Answer<C['page']>>>;
}
type RowIn<P> = P extends { rows: readonly (infer Row)[] } ? Row : never;

interface Views {
  calls: AnyNounCalls;
  reads: Reads;
}

const controllerOf = (noun: PlainNoun, { calls, reads }: Views): Type => {
  const { category, named, within, flat, commands } = noun;
  const parentIn = (input: object): string | undefined =>
    within === undefined ? undefined : (input as Record<string, { id: string } | undefined>)[within]?.id;

  @Controller()
  class PlainController {
    constructor(
      @Inject(DB) private readonly db: Pool,
      @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
      @Inject(recordsOf(noun)) private readonly things: PlainRecords,
    ) {}

    @Answers(calls.list)
    list(input: object, { session }: Asker): Promise<View[]> {
      return reads.list(this.db, session.workspace, parentIn(input));
    }

    @Answers(calls.page)
    async page(asked: ListAsked, { session }: Asker): Promise<ListPage<View>> {
      const rows = await reads.rows(this.db, session.workspace, parentIn(asked));
      return pageOf(rows, reads.columns, asked);
    }

    @Answers(calls.detail)
    async detail({ id }: { id: string }, { session }: Asker): Promise<View> {
      const view = await reads.detail(this.db, session.workspace, id);
      if (!view) throw notFound(inWords(category));
      return view;
    }

    @Answers(calls.insert)
    async insert(input: { data: Values }, { meta }: Asker) {
      return done(await this.things.add(flat ? (input as Values) : input.data, parentIn(input), meta));
    }

    @Answers(calls.update)
    async update({ id, data, revision }: { id: string; data: Values; revision?: number }, { meta }: Asker) {
      const edit = () => this.things.edit(id, data, meta, revision);
      const shown = () => reads.detail(this.db, meta.workspace, id);
      return done(await withCurrentOnConflict(this.projections, edit, shown));
    }

    @Answers(calls.delete)
    async delete(input: { id: string }, { meta }: Asker) {
      return done(await this.things.remove(input.id, (input as Values)[named] as string | undefined, meta));
    }

    async restore({ id }: { id: string }, { meta }: Asker) {
      return done(await this.things.restore(id, meta));
    }

    async perform(name: string, { id, data = {}, revision }: Performed, { meta }: Asker) {
      const perform = () => this.things.perform(name, id, data, meta, revision);
      const shown = () => reads.detail(this.db, meta.workspace, id);
      return done(await withCurrentOnConflict(this.projections, perform, shown));
    }
  }
  const { prototype } = PlainController;
  const answer = (name: string, value: AnyMethod): void => {
    const call = calls[name];
    if (!call) return;
    Object.defineProperty(prototype, name, { value });
    Answers(call)(prototype, name, { value: value as (input: unknown, asker: Asker) => Promise<unknown> });
  };
  // A noun with calls of its own may have none that restores: undo does.
  answer('restore', prototype.restore);
  for (const name of Object.keys(commands))
    answer(name, function (this: PlainController, input: Performed, asker: Asker) {
      return this.perform(name, input, asker);
    });
  return nameIt(PlainController, category);
};

interface Performed {
  id: string;
  data?: Values;
  revision?: number;
}
type AnyMethod = (input: never, asker: Asker) => Promise<unknown>;

const nameIt = (controller: Type, category: string, of = ''): Type => {
  Object.defineProperty(controller, 'name', { value: `${capital(category)}${of}Controller` });
  return controller;
};

/** Controller for the secrets of a noun. */
const secretsControllerOf = (noun: PlainNoun, calls: AnyNounCalls): Type => {
  @Controller()
  class SecretsController {
    constructor(@Inject(recordsOf(noun)) private readonly things: PlainRecords) {}

    @Answers(calls.reveal)
    @Header('cache-control', 'no-store')
    async reveal({ id, field }: { id: string; field: string }, { meta }: Asker) {
      const { value, position } = await this.things.reveal(id, field, meta);
      return written({ value }, position);
    }
  }
  return nameIt(SecretsController, noun.category, 'Secrets');
};

/** Commands, unique names and undo of a noun. @param rules additional rules of the noun */
const workOf = <P extends PlainNoun>(noun: P, rules: Rules<ValuesOf<P>> = {}) => {
  const decider = plainDecider(noun, rules);
  const things = {
    provide: recordsOf(noun),
    inject: [CommandBus, Decisions, EVENT_STORE, CLAIMS, Undoing, Hooks, DB, VAULT, ModuleRef],
    useFactory: (
      commands: CommandBus,
      decisions: Decisions,
      store: EventStore,
      claims: Claims,
      undoing: Undoing,
      hooks: Hooks,
      db: Pool,
      vault: Vault,
      modules: ModuleRef,
    ) => {
      const undoOf = (category: string) =>
        modules.get<PlainRecords>(recordsOf({ category }), { strict: false }).undo;
      const ground = { commands, decisions, store, claims, undoing, hooks, db, vault, undoOf };
      return new PlainRecords(noun, decider, ground, (rules as unknown as Rules).derived);
    },
  };
  return { providers: [things, ...deciderHandlers(decider)], exports: [things.provide] };
};

/**
 * Controller, commands and undo of a noun of the kit. A feature with more calls adds its controllers to these.
 *
 * @param rules additional rules of the noun
 * @param own calls and answers of its own, for a noun whose read model is not the kit's
 */
export const plain = <
  P extends PlainNoun,
  C extends Record<'list' | 'page' | 'detail', Call> = Record<'list' | 'page' | 'detail', Call>,
>(
  noun: P,
  rules: Rules<ValuesOf<P>> = {},
  own?: OwnViews<C>,
): Required<ModuleMetadata> => {
  const views = (own ?? { calls: callsOf(noun), reads: readsOf(noun) }) as unknown as Views;
  return {
    imports: [],
    controllers: [
      controllerOf(noun, views),
      ...(hasShownSecrets(noun) ? [secretsControllerOf(noun, views.calls)] : []),
    ],
    ...workOf(noun, rules),
  };
};
