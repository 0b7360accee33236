/** Undoes changes of a key, and what an import did to it. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  streamName,
  undoableTypes,
  type LoggedEvent,
  type Position,
  type UndoableType,
} from '@quarterdeck/events';
import type { TextUnit } from '@quarterdeck/projections';
import { foldEvents, type Decision } from '../platform/decider';
import { Decisions, fieldsBack, Undoing, type Undone, type UndoPlan } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { EVENT_STORE, type EventStore } from '../platform/tokens';
import { Texts } from './texts';
import {
  type KnownText,
  RemoveText,
  RestoreText,
  type SetBack,
  SetTextBack,
  textDecider,
  type TextEvent,
  type TextState,
} from './texts.decider';

interface Work {
  would: readonly TextEvent[];
  carryOut(meta: CommandMeta): Promise<Decision>;
}

const stateAfter = (events: readonly LoggedEvent[]): TextState =>
  foldEvents(textDecider, events as unknown as TextEvent[]);

/** The values of a key, each under a name that says what it is. */
const valuesOf = ({ key, isIcu, units, comments }: KnownText): Record<string, unknown> => ({
  key,
  isIcu,
  // Which English text it was made for follows from the texts.
  ...named('text', units, ({ text, isReviewed = false }) => ({ text, isReviewed })),
  ...named('comment', comments, (one) => one),
});
const named = <T>(what: string, all: Readonly<Record<string, T>>, of: (one: T) => unknown) =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [`${what} ${name}`, of(one)]));

/** What differs, by the names of `all`. */
const differing = <T>(
  what: string,
  [back, now]: readonly [Record<string, unknown>, Record<string, unknown>],
  was: Readonly<Record<string, T>>,
): Record<string, T | undefined> =>
  Object.fromEntries(
    [...new Set([...Object.keys(back), ...Object.keys(now)])]
      .filter(
        (name) => name.startsWith(`${what} `) && JSON.stringify(back[name]) !== JSON.stringify(now[name]),
      )
      .map((name) => name.slice(what.length + 1))
      .map((name) => [name, was[name]]),
  );

const backFrom = (was: KnownText, made: KnownText, now: KnownText): SetBack => {
  const present = valuesOf(now);
  const back = fieldsBack(valuesOf(was), valuesOf(made), present);
  return {
    key: back['key'] as string,
    isIcu: back['isIcu'] as boolean,
    units: differing<TextUnit>('text', [back, present], was.units),
    comments: differing('comment', [back, present], was.comments),
  };
};

@Injectable()
export class TextUndo implements OnModuleInit {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly texts: Texts,
  ) {}

  onModuleInit(): void {
    const types = undoableTypes.filter((type) => type.startsWith('Text') || type.startsWith('Translation'));
    this.undoing.use(types, (undone) => this.plan(undone));
  }

  /**
   * Undoes what a run did to a key.
   * @returns undefined if it did nothing
   * @throws DomainError `conflict` if that was changed again since
   */
  async undoRun(id: string, run: string, meta: CommandMeta): Promise<{ position: Position } | undefined> {
    const stream = (await this.store.readStream(streamName('text', id))) as LoggedEvent[];
    const events = stream.filter((one) => one.meta.causationId === run);
    const [first] = events;
    if (!first) return undefined;
    const before = stream.filter(({ revision }) => revision < first.revision);
    const { carryOut } = await this.work({ id, meta, before, events });
    return carryOut(meta);
  }

  private async plan({ id, meta, before, events, alsoDone }: Undone): Promise<UndoPlan> {
    const { would, carryOut } = await this.work({ id, meta, before, events });
    const { state } = await this.decisions.load(textDecider, id, meta.workspace);
    const name = state.is === 'unknown' ? id : state.key;
    const [type] = events.map((one) => one.type as UndoableType);
    const others = type ? (await alsoDone(type)).filter((other) => other !== id).length : 0;
    return {
      works: [{ subject: { category: 'text', id, name }, would, carryOut: (_, asker) => carryOut(asker) }],
      notes:
        others === 0
          ? []
          : ['An import changed this key and others. Its run undoes all of it; this undoes only this key.'],
    };
  }

  private async work({ id, meta, before, events }: Omit<Undone, 'alsoDone'>): Promise<Work> {
    const { state: now, revision } = await this.decisions.load(textDecider, id, meta.workspace);
    const [was, made] = [stateAfter(before), stateAfter([...before, ...events])];
    if (now.is === 'unknown' || made.is === 'unknown') throw notFound('text');
    if (was.is === 'unknown') return this.takeAway(id, made, now, meta);
    if (made.is === 'removed' && was.is === 'there') return this.bringBack(id, now, meta);
    if (now.is === 'removed')
      throw new DomainError('conflict', `${now.key} has been removed since: restore it first`);
    const back = backFrom(was, made, now);
    if (back.key !== now.key) await this.texts.refuseTaken(id, { ...now, key: back.key }, meta.workspace);
    return {
      would: textDecider.decide(new SetTextBack(id, { ...back, nameClaimed: true }, meta), now),
      carryOut: (asker) => this.texts.setBack(id, now, back, asker, revision),
    };
  }

  /** @throws DomainError `conflict` if it was changed since it was added */
  private takeAway(id: string, made: KnownText, now: TextState & KnownText, meta: CommandMeta): Work {
    if (now.is === 'removed') throw new DomainError('conflict', 'it has been removed already');
    if (JSON.stringify(valuesOf(made)) !== JSON.stringify(valuesOf(now)))
      throw new DomainError('conflict', `${now.key} was changed since`);
    return {
      would: textDecider.decide(new RemoveText(id, {}, meta), now),
      carryOut: (asker) => this.texts.remove(id, asker),
    };
  }

  private async bringBack(id: string, now: TextState & KnownText, meta: CommandMeta): Promise<Work> {
    if (now.is === 'there') throw new DomainError('conflict', 'it has already been restored');
    await this.texts.refuseTaken(id, now, meta.workspace);
    return {
      would: textDecider.decide(new RestoreText(id, {}, meta), now),
      carryOut: (asker) => this.texts.restore(id, asker),
    };
  }
}
