/** The things of a plain noun: adding, editing, removing, restoring, and undoing that. */
import type { CommandBus } from '@nestjs/cqrs';
import {
  eventNames,
  inWords,
  isRevised,
  nounOf,
  plainNouns,
  streamName,
  type LoggedEvent,
  type PlainNoun,
  type UndoableType,
} from '@quarterdeck/events';
import { foldEvents, type Decision, type DomainCommand } from '../decider';
import {
  type Claims,
  type Decisions,
  fieldsBack,
  type Undoing,
  type Undone,
  type UndoPlan,
} from '../decisions';
import { DomainError, notFound } from '../errors';
import { type CommandMeta, idFor } from '../sessions';
import type { EventStore } from '../tokens';
import { PlainNames } from './plain-names';
import type { PlainDecider, PlainState, Values } from './plain.decider';

export interface Ground {
  commands: CommandBus;
  decisions: Decisions;
  store: EventStore;
  claims: Claims;
  undoing: Undoing;
}

export class PlainThings {
  private readonly what: string;
  private readonly names: PlainNames;

  constructor(
    private readonly noun: PlainNoun,
    private readonly decider: PlainDecider,
    private readonly ground: Ground,
  ) {
    this.what = inWords(noun.category);
    this.names = new PlainNames(noun, ground.claims, async (workspace, id) => {
      const { state } = await ground.decisions.load(decider, id, workspace);
      return state.is === 'there' ? state.was : undefined;
    });
    const is = eventNames(noun.category);
    const edits = [is.renamed, ...(isRevised(noun) ? [is.revised] : [])] as unknown as UndoableType[];
    ground.undoing.use(edits, (undone) => this.editBack(undone));
    ground.undoing.use([is.removed as unknown as UndoableType], (undone) => this.bringBack(undone));
  }

  /** @param parent the id of what it will belong to */
  async add(data: Values, parent: string | undefined, meta: CommandMeta): Promise<Decision> {
    const { category, within } = this.noun;
    const id = idFor(category, meta);
    const fields = within === undefined ? data : { ...data, [within]: parent };
    await this.refuseOrphan(fields, meta.workspace);
    return this.names.whileClaimed(meta.workspace, fields, id, () =>
      this.execute(new this.decider.has.Add(id, fields, meta)),
    );
  }

  async edit(id: string, data: Values, meta: CommandMeta, revision?: number): Promise<Decision> {
    const before = await this.there(id, meta.workspace);
    const after = { ...before, ...data };
    const decision = await this.names.whileClaimed(meta.workspace, after, id, () =>
      this.execute(new this.decider.has.Edit(id, data, meta, revision)),
    );
    await this.names.release(meta.workspace, before, id);
    return decision;
  }

  async remove(id: string, typed: unknown, meta: CommandMeta): Promise<Decision> {
    const before = await this.there(id, meta.workspace);
    const decision = await this.execute(new this.decider.has.Remove(id, { typed }, meta));
    await this.names.release(meta.workspace, before, id);
    return decision;
  }

  /** As it was when it was removed. @throws DomainError on a unique field whose value another thing has by now */
  async restore(id: string, meta: CommandMeta): Promise<Decision> {
    const { state } = await this.ground.decisions.load(this.decider, id, meta.workspace);
    if (state.is === 'unknown') throw notFound(this.what);
    await this.refuseOrphan(state.was, meta.workspace);
    return this.names.whileClaimed(meta.workspace, state.was, id, () =>
      this.execute(new this.decider.has.Restore(id, {}, meta)),
    );
  }

  private execute(command: DomainCommand): Promise<Decision> {
    return this.ground.commands.execute(command as never);
  }

  private async there(id: string, workspace: string): Promise<Values> {
    const { state } = await this.ground.decisions.load(this.decider, id, workspace);
    if (state.is !== 'there') throw notFound(this.what);
    await this.refuseOrphan(state.was, workspace);
    return state.was;
  }

  /** @throws DomainError `notFound` when what it belongs to is not there */
  private async refuseOrphan(fields: Values, workspace: string): Promise<void> {
    let { within } = this.noun;
    let known: Values = fields;
    while (within !== undefined) {
      const category: string = within;
      const events = await this.ground.store.readStream(streamName(category, String(known[category])));
      const [first] = events;
      const { removedBy, restoredBy } = nounOf(category) ?? {};
      const last = events.findLast(({ type }) => type === removedBy || type === restoredBy);
      if (first?.meta.workspace !== workspace || (last && last.type === removedBy))
        throw notFound(inWords(category));
      known = first.data as Values;
      within = plainNouns.find((one) => one.category === category)?.within;
    }
  }

  private stateOf(events: readonly LoggedEvent[]): PlainState {
    return foldEvents(this.decider, events);
  }

  private kept(state: PlainState): Values {
    if (state.is === 'there') return state.was;
    throw state.is === 'removed'
      ? new DomainError('conflict', `${this.nameIn(state.was)} was removed since: restore it first`)
      : notFound(this.what);
  }

  private nameIn(fields: Values): string {
    return String(fields[this.noun.named]);
  }

  private async editBack({ id, meta, before, events }: Undone): Promise<UndoPlan> {
    const { state, revision } = await this.ground.decisions.load(this.decider, id, meta.workspace);
    const now = this.kept(state);
    const was = this.kept(this.stateOf(before));
    const made = this.kept(this.stateOf([...before, ...events]));
    const fields = fieldsBack(was, made, now);
    await this.names.refuseTaken(meta.workspace, fields, id);
    const work = {
      subject: { category: this.noun.category, id, name: this.nameIn(now) },
      would: this.decider.decide(new this.decider.has.Edit(id, fields, meta), state),
      carryOut: (_: object, asker: CommandMeta) => this.edit(id, fields, asker, revision),
    };
    return { works: [work] };
  }

  private async bringBack({ id, meta }: Undone): Promise<UndoPlan> {
    const { state } = await this.ground.decisions.load(this.decider, id, meta.workspace);
    if (state.is !== 'removed') throw new DomainError('conflict', 'it was restored already');
    await this.refuseOrphan(state.was, meta.workspace);
    await this.names.refuseTaken(meta.workspace, state.was, id);
    const work = {
      subject: { category: this.noun.category, id, name: this.nameIn(state.was) },
      would: this.decider.decide(new this.decider.has.Restore(id, {}, meta), state),
      carryOut: (_: object, asker: CommandMeta) => this.restore(id, asker),
    };
    return { works: [work] };
  }
}
