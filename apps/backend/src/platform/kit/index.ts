/** `@Module(plain(product))`: the back end of a plain noun. */
import { Controller, Header, Inject, type ModuleMetadata, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { capital, hasSecrets, inWords, type PlainNoun, type ValuesOf } from '@quarterdeck/events';
import { callsOf, type NounCalls } from '@quarterdeck/contract';
import { pageOf, plainColumns, type ListAsked, type ListPage } from '@quarterdeck/projections';
import { deciderHandlers, Decisions, Undoing } from '../decisions';
import { notFound } from '../errors';
import { Answers, type Asker, done, withCurrentOnConflict, written } from '../http';
import { CLAIMS, DB, EVENT_STORE, PROJECTIONS, VAULT } from '../tokens';
import type { Claims, EventStore, Pool, ProjectionRunner, Vault } from '../tokens';
import { PlainThings } from './plain-things';
import { plainDecider, type Rules, type Values } from './plain.decider';
import { detailOf, listOf, type View } from './plain.queries';

export { plainDecider, type Asked, type Rules } from './plain.decider';
export { PlainThings } from './plain-things';
export { detailOf, listOf, type View } from './plain.queries';

/** Token that features inject to add, edit or remove things of a plain noun. */
export const thingsOf = ({ category }: Pick<PlainNoun, 'category'>): string => `things:${category}`;

const controllerOf = (noun: PlainNoun): Type => {
  const { category, named, within } = noun;
  const calls = callsOf(noun) as unknown as NounCalls<Values, string, never>;
  const columns = plainColumns(noun);
  const parentIn = (input: object): string | undefined =>
    within === undefined ? undefined : (input as Record<string, { id: string } | undefined>)[within]?.id;

  @Controller()
  class PlainController {
    constructor(
      @Inject(DB) private readonly db: Pool,
      @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
      @Inject(thingsOf(noun)) private readonly things: PlainThings,
    ) {}

    @Answers(calls.list)
    list(input: object, { session }: Asker): Promise<View[]> {
      return listOf(noun, this.db, session.workspace, parentIn(input));
    }

    @Answers(calls.page)
    async page(asked: ListAsked, { session }: Asker): Promise<ListPage<View>> {
      const rows = await listOf(noun, this.db, session.workspace, parentIn(asked));
      return pageOf(rows, columns, asked);
    }

    @Answers(calls.detail)
    async detail({ id }: { id: string }, { session }: Asker): Promise<View> {
      const view = await detailOf(noun, this.db, session.workspace, id);
      if (!view) throw notFound(inWords(category));
      return view;
    }

    @Answers(calls.insert)
    async insert(input: { data: Values }, { meta }: Asker) {
      return done(await this.things.add(input.data, parentIn(input), meta));
    }

    @Answers(calls.update)
    async update({ id, data, revision }: { id: string; data: Values; revision?: number }, { meta }: Asker) {
      const edit = () => this.things.edit(id, data, meta, revision);
      const shown = () => detailOf(noun, this.db, meta.workspace, id);
      return done(await withCurrentOnConflict(this.projections, edit, shown));
    }

    @Answers(calls.delete)
    async delete(input: { id: string }, { meta }: Asker) {
      return done(await this.things.remove(input.id, (input as Values)[named] as string | undefined, meta));
    }

    @Answers(calls.restore)
    async restore({ id }: { id: string }, { meta }: Asker) {
      return done(await this.things.restore(id, meta));
    }
  }
  return nameIt(PlainController, category);
};

const nameIt = (controller: Type, category: string, of = ''): Type => {
  Object.defineProperty(controller, 'name', { value: `${capital(category)}${of}Controller` });
  return controller;
};

/** Controller for the secrets of a noun. */
const secretsControllerOf = (noun: PlainNoun): Type => {
  const calls = callsOf(noun) as unknown as NounCalls<Values, string, never>;

  @Controller()
  class SecretsController {
    constructor(@Inject(thingsOf(noun)) private readonly things: PlainThings) {}

    @Answers(calls.reveal)
    @Header('cache-control', 'no-store')
    async reveal({ id, field }: { id: string; field: string }, { meta }: Asker) {
      const { value, position } = await this.things.reveal(id, field, meta);
      return written({ value }, position);
    }
  }
  return nameIt(SecretsController, noun.category, 'Secrets');
};

/** Commands, unique names and undo of a noun that defines its own calls. @param rules additional rules of the noun */
export const plainWork = <P extends PlainNoun>(noun: P, rules: Rules<ValuesOf<P>> = {}) => {
  const decider = plainDecider(noun, rules);
  const things = {
    provide: thingsOf(noun),
    inject: [CommandBus, Decisions, EVENT_STORE, CLAIMS, Undoing, DB, VAULT, ModuleRef],
    useFactory: (
      commands: CommandBus,
      decisions: Decisions,
      store: EventStore,
      claims: Claims,
      undoing: Undoing,
      db: Pool,
      vault: Vault,
      modules: ModuleRef,
    ) => {
      const undoOf = (category: string) =>
        modules.get<PlainThings>(thingsOf({ category }), { strict: false }).undo;
      const ground = { commands, decisions, store, claims, undoing, db, vault, undoOf };
      return new PlainThings(noun, decider, ground, (rules as unknown as Rules).derived);
    },
  };
  return { providers: [things, ...deciderHandlers(decider)], exports: [things.provide] };
};

/**
 * Controller, commands and undo of a plain noun. A feature with more calls adds its controllers to these.
 *
 * @param rules additional rules of the noun
 */
export const plain = <P extends PlainNoun>(
  noun: P,
  rules: Rules<ValuesOf<P>> = {},
): Required<ModuleMetadata> => ({
  imports: [],
  controllers: [controllerOf(noun), ...(hasSecrets(noun) ? [secretsControllerOf(noun)] : [])],
  ...plainWork(noun, rules),
});
