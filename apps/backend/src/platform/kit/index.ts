/** `@Module(plain(product))`: the back end of a plain noun. */
import { Controller, Inject, type ModuleMetadata, type Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { capital, inWords, type PlainNoun, type ValuesOf } from '@quarterdeck/events';
import { callsOf, type NounCalls } from '@quarterdeck/contract';
import { deciderHandlers, Decisions, Undoing } from '../decisions';
import { notFound } from '../errors';
import { Answers, type Asker, done, withCurrentOnConflict } from '../http';
import { CLAIMS, DB, EVENT_STORE, PROJECTIONS } from '../tokens';
import type { Claims, EventStore, Pool, ProjectionRunner } from '../tokens';
import { PlainThings } from './plain-things';
import { plainDecider, type Rules, type Values } from './plain.decider';
import { detailOf, listOf, type View } from './plain.queries';

export type { Asked, Rules } from './plain.decider';

/** What features inject that add, edit or remove things of a plain noun. */
export const thingsOf = ({ category }: Pick<PlainNoun, 'category'>): string => `things:${category}`;

const controllerOf = (noun: PlainNoun): Type => {
  const { category, named, within } = noun;
  const calls = callsOf(noun) as unknown as NounCalls<Values, string, never>;
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
      return done(await this.things.remove(input.id, (input as Values)[named], meta));
    }

    @Answers(calls.restore)
    async restore({ id }: { id: string }, { meta }: Asker) {
      return done(await this.things.restore(id, meta));
    }
  }
  Object.defineProperty(PlainController, 'name', { value: `${capital(category)}Controller` });
  return PlainController;
};

/**
 * Controller, commands and undo of a plain noun. A feature with more calls adds its controllers to these.
 *
 * @param rules of the noun's own
 */
export const plain = <P extends PlainNoun>(
  noun: P,
  rules: Rules<ValuesOf<P>> = {},
): Required<ModuleMetadata> => {
  const decider = plainDecider(noun, rules as unknown as Rules);
  const things = {
    provide: thingsOf(noun),
    inject: [CommandBus, Decisions, EVENT_STORE, CLAIMS, Undoing],
    useFactory: (
      commands: CommandBus,
      decisions: Decisions,
      store: EventStore,
      claims: Claims,
      undoing: Undoing,
    ) => new PlainThings(noun, decider, { commands, decisions, store, claims, undoing }),
  };
  return {
    imports: [],
    controllers: [controllerOf(noun)],
    providers: [things, ...deciderHandlers(decider)],
    exports: [things.provide],
  };
};
