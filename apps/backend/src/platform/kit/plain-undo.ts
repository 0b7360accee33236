/** Undoing what was done to things of a plain noun: edits, additions and removals. */
import {
  editTypes,
  eventNames,
  inWords,
  plainNouns,
  type LoggedEvent,
  type PlainNoun,
  streamName,
  type UndoableType,
} from '@quarterdeck/events';
import { foldEvents } from '../decider';
import { fieldsBack, type Undone, type UndoPlan, type UndoWork } from '../decisions';
import { DomainError, notFound } from '../errors';
import { sameData } from '../same-data';
import type { CommandMeta } from '../sessions';
import type { PlainNames } from './plain-names';
import type { PlainSecrets } from './plain-secrets';
import type { Ground, PlainRecords } from './plain-records';
import type { PlainCommands, PlainDecider, PlainState, Values } from './plain.decider';
import { allReferrersTo, namesWithin, viewsOf } from './plain.queries';

interface Parts {
  things: PlainRecords;
  names: PlainNames;
  secrets: PlainSecrets;
}

/** The things of all plain nouns that one request added, or removed. */
type Group = readonly { readonly undo: PlainUndo; readonly ids: readonly string[] }[];

export class PlainUndo {
  constructor(
    private readonly noun: PlainNoun,
    private readonly decider: PlainDecider,
    private readonly ground: Ground,
    private readonly parts: Parts,
  ) {
    const is = eventNames(noun);
    const use = (types: readonly string[], plan: (undone: Undone) => Promise<UndoPlan>): void =>
      ground.undoing.use(types as readonly UndoableType[], plan);
    use(editTypes(noun), (undone) => this.editBack(undone));
    use([is.added], (undone) => this.takeAway(undone));
    use([is.removed], (undone) => this.bringBack(undone));
    for (const { records, undo } of Object.values(noun.commands))
      if (undo !== undefined) use([records], (undone) => this.commandBack(undone, undo));
  }

  private async editBack({ id, meta, before, events }: Undone): Promise<UndoPlan> {
    const { decider, parts } = this;
    const { state, revision } = await this.ground.decisions.load(decider, id, meta.workspace);
    const now = this.kept(state);
    const was = this.kept(this.stateOf(before));
    const made = this.kept(this.stateOf([...before, ...events]));
    // The state belongs to commands, and a name that is made from the fields follows them.
    const open = (values: Values): Values =>
      parts.secrets.without(
        Object.fromEntries(Object.keys(this.noun.fields).map((key) => [key, values[key]])),
      );
    if (sameData(open(was), open(made)))
      throw new DomainError('conflict', 'a replaced secret was destroyed: set it again');
    const fields = fieldsBack(open(was), open(made), open(now));
    await parts.names.refuseTaken(meta.workspace, fields, id);
    const work = {
      subject: this.subject(id, now),
      would: decider.decide(new decider.has.Edit(id, fields, meta), state),
      carryOut: (_: object, asker: CommandMeta) => parts.things.edit(id, fields, asker, revision),
    };
    return { works: [work] };
  }

  /** @param name of the command that undoes it; its input are the values before */
  private async commandBack({ id, meta, before, events }: Undone, name: string): Promise<UndoPlan> {
    const { decider, parts, noun } = this;
    const { state, revision } = await this.ground.decisions.load(decider, id, meta.workspace);
    const now = this.kept(state);
    const was = this.kept(this.stateOf(before));
    fieldsBack(was, this.kept(this.stateOf([...before, ...events])), now);
    const takes = Object.keys(noun.commands[name]?.takes ?? {});
    const data = Object.fromEntries(takes.map((key) => [key, was[key]]));
    const Own = decider.has.own[name] as PlainCommands['own'][string];
    const work = {
      subject: this.subject(id, now),
      would: decider.decide(new Own(id, data, meta), state),
      carryOut: (_: object, asker: CommandMeta) => parts.things.perform(name, id, data, asker, revision),
    };
    return { works: [work] };
  }

  /**
   * Undoes an addition, with everything that the same request added. Things within a removed one are hidden with it.
   */
  private async takeAway({ id, meta, alsoDone }: Undone): Promise<UndoPlan> {
    const group = await this.group(id, alsoDone, (noun) => eventNames(noun).added);
    const all = group.flatMap(({ ids }) => ids);
    const works = await Promise.all(group.map(({ undo, ids }) => undo.removals(ids, all, meta)));
    if (works.every(({ length }) => length === 0))
      throw new DomainError('conflict', 'it has been removed already');
    return { works: works.flat() };
  }

  /**
   * @param all ids of everything that will be removed
   * @throws DomainError `conflict` if somebody changed one of them since, put something into it, or refers to it
   */
  private async removals(
    ids: readonly string[],
    all: readonly string[],
    meta: CommandMeta,
  ): Promise<UndoWork[]> {
    if (ids.length === 0) return [];
    const { noun, decider, parts, ground } = this;
    const { workspace } = meta;
    const of = { ids, besides: all };
    const [views, inside, referrers] = await Promise.all([
      viewsOf(noun, ground.db, workspace, ids),
      namesWithin(noun, ground.db, workspace, of),
      allReferrersTo(noun, ground, workspace, of),
    ]);
    if (inside.length > 0) throw new DomainError('conflict', `${inside[0]} was added to it since`);
    if (referrers.length > 0) throw new DomainError('conflict', `${referrers[0]} points to it by now`);
    for (const view of views)
      if (view.revision > 0 && !(await this.isAsAdded(view.id, workspace)))
        throw new DomainError('conflict', `${this.nameIn(view)} was changed since`);
    const going = new Set(all);
    return views
      .filter((view) => noun.within === undefined || !going.has(String(view[noun.within])))
      .map(({ id, ...view }) => {
        const name = this.nameIn(view);
        return {
          subject: this.subject(id, view),
          would: decider.decide(new decider.has.Remove(id, { typed: name }, meta), {
            is: 'there',
            was: view,
          }),
          carryOut: (_: object, asker: CommandMeta) => parts.things.remove(id, name, asker, view.revision),
        };
      });
  }

  private async isAsAdded(id: string, workspace: string): Promise<boolean> {
    const [{ state }, [first]] = await Promise.all([
      this.ground.decisions.load(this.decider, id, workspace),
      this.ground.store.readStream(streamName(this.noun.category, id)),
    ]);
    return state.is === 'there' && sameData(state, this.stateOf(first ? [first as LoggedEvent] : []));
  }

  /** Undoes a removal, with everything that the same request removed. */
  private async bringBack({ id, meta, alsoDone }: Undone): Promise<UndoPlan> {
    const own = await this.restoration(id, meta);
    if (!own) throw new DomainError('conflict', 'it has already been restored');
    if (own.refused !== undefined) throw new DomainError('conflict', own.refused);
    const group = await this.group(id, alsoDone, (noun) => eventNames(noun).removed);
    const others = await Promise.all(
      group.flatMap(({ undo, ids }) =>
        ids.filter((one) => one !== id).map((one) => undo.restoration(one, meta)),
      ),
    );
    return { works: [own, ...others.flatMap((work) => work ?? [])] };
  }

  /** @returns undefined if it is not removed */
  private async restoration(id: string, meta: CommandMeta): Promise<UndoWork | undefined> {
    const { decider, parts } = this;
    const { state } = await this.ground.decisions.load(decider, id, meta.workspace);
    if (state.is !== 'removed') return undefined;
    const work = {
      subject: this.subject(id, state.was),
      would: decider.decide(new decider.has.Restore(id, {}, meta), state),
      carryOut: (_: object, asker: CommandMeta) => parts.things.restore(id, asker),
    };
    try {
      await parts.things.refuseHomeless(state.was, meta.workspace);
      await parts.names.refuseTaken(meta.workspace, state.was, id);
      return work;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...work, refused: error.msg };
    }
  }

  /** @param id of the thing whose event is undone */
  private group(
    id: string,
    alsoDone: Undone['alsoDone'],
    typeOf: (noun: PlainNoun) => string,
  ): Promise<Group> {
    const { category } = this.noun;
    const others = (plainNouns as readonly PlainNoun[]).filter((noun) => noun.category !== category);
    return Promise.all(
      [this.noun, ...others].map(async (noun) => {
        const ids = await alsoDone(typeOf(noun) as UndoableType);
        const all = noun === this.noun ? [...new Set([id, ...ids])] : ids;
        return { undo: this.ground.undoOf(noun.category), ids: all };
      }),
    );
  }

  private stateOf(events: readonly LoggedEvent[]): PlainState {
    return foldEvents(this.decider, events);
  }

  private kept(state: PlainState): Values {
    if (state.is === 'there') return state.was;
    throw state.is === 'removed'
      ? new DomainError('conflict', `${this.nameIn(state.was)} has been removed since: restore it first`)
      : notFound(inWords(this.noun.category));
  }

  private subject(id: string, of: Values): UndoWork['subject'] {
    return { category: this.noun.category, id, name: this.nameIn(of) };
  }

  private nameIn(fields: Values): string {
    return String(fields[this.noun.named]);
  }
}
