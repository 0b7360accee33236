/** The things of a plain noun: adding, editing, removing and restoring. */
import type { CommandBus } from '@nestjs/cqrs';
import { hasSecrets, inWords, streamName, type PlainNoun, type Position } from '@quarterdeck/events';
import { refusals, withoutUnfit } from '@quarterdeck/events/kit';
import type { Decision, DomainCommand } from '../decider';
import { followUp, type Claims, type Decisions, type Undoing } from '../decisions';
import { ChangedMeanwhile, DomainError, invalidField, notFound } from '../errors';
import { type Hold, refuseHeld } from '../holds';
import { type Hooks, type Moment, moment } from '../hooks';
import { sameData } from '../same-data';
import { type CommandMeta, idFor } from '../sessions';
import type { EventStore, Pool, Vault } from '../tokens';
import { PlainNames } from './plain-names';
import { PlainPlaces } from './plain-places';
import { PlainSecrets } from './plain-secrets';
import { PlainUndo } from './plain-undo';
import type { PlainDecider, Rules, Values } from './plain.decider';
import { allReferrersTo } from './plain.queries';

export interface Ground {
  commands: CommandBus;
  decisions: Decisions;
  store: EventStore;
  claims: Claims;
  undoing: Undoing;
  hooks: Hooks;
  db: Pool;
  vault: Vault;
  /** The undo of another noun, by its category. */
  undoOf(category: string): PlainUndo;
}

/**
 * Ends what must not outlive a removal. Can be repeated.
 * @returns the position of the last event; undefined if there was nothing to end
 */
export type OnRemoval = (id: string, meta: CommandMeta) => Promise<Position | undefined>;

/** A thing before and after an edit. */
export interface Edited {
  id: string;
  before: Values;
  after: Values;
}

/**
 * Judges fields of a thing by other things. `before`: the fields before an edit, whose values may stay.
 * @throws DomainError that names the field
 */
export type JudgeFields = (after: Values, before: Values | undefined, workspace: string) => Promise<void>;

/** Can prevent removals, also those that undo an addition. */
export const beforeRemoval = ({ category }: Pick<PlainNoun, 'category'>): Moment<Hold<string>> =>
  moment(`before removal of ${category}`);

/** Also called before a restoration, because the process may have died after the removal. */
export const afterRemoval = ({ category }: Pick<PlainNoun, 'category'>): Moment<OnRemoval> =>
  moment(`after removal of ${category}`);

/** Can prevent edits, also those that undo an edit. */
export const beforeEdit = ({ category }: Pick<PlainNoun, 'category'>): Moment<Hold<Edited>> =>
  moment(`before edit of ${category}`);

/** Judges what additions and edits set, also those that undo an edit. */
export const judgedFields = ({ category }: Pick<PlainNoun, 'category'>): Moment<JudgeFields> =>
  moment(`judged fields of ${category}`);

/** Each time, one of the others was faster. */
const MAX_ATTEMPTS = 24;

export class PlainRecords {
  readonly undo: PlainUndo;
  private readonly what: string;
  private readonly names: PlainNames;
  private readonly places: PlainPlaces;
  private readonly secrets: PlainSecrets;

  constructor(
    private readonly noun: PlainNoun,
    private readonly decider: PlainDecider,
    private readonly ground: Ground,
    derived: NonNullable<Rules['derived']> = {},
  ) {
    this.what = inWords(noun.category);
    this.places = new PlainPlaces(noun, ground.store);
    this.secrets = new PlainSecrets(noun, ground.vault);
    this.names = new PlainNames(noun, derived, ground.claims, async (workspace, id) => {
      const { state } = await ground.decisions.load(decider, id, workspace);
      return state.is === 'there' && (await this.places.isHome(state.was, workspace)) ? state.was : undefined;
    });
    const { names, secrets } = this;
    this.undo = new PlainUndo(noun, decider, ground, { things: this, names, secrets });
  }

  /** @param parent id of the parent */
  async add(data: Values, parent: string | undefined, meta: CommandMeta): Promise<Decision> {
    const { category, within } = this.noun;
    const id = idFor(category, meta);
    const given = within === undefined ? data : { ...data, [within]: parent };
    const here = await this.places.ancestors(given, meta.workspace);
    await this.places.refuseDangling(given, here, meta.workspace);
    await this.judge(given, undefined, meta.workspace);
    const before = await this.storedBefore(id, meta.workspace);
    return this.names.withClaimedName(meta.workspace, given, id, () =>
      this.secrets.withStoredSecrets(given, before, meta, (fields) =>
        this.execute(new this.decider.has.Add(id, fields, meta)),
      ),
    );
  }

  /**
   * Adds things to one parent, each with a command of its own. What they have in common is looked at once, so many take
   * little longer than one. The noun has no secrets.
   *
   * @returns for each, in order: the decision, or why it was refused
   * @throws DomainError `notFound` if one of the ancestors is gone
   */
  async addAll(
    all: readonly { data: Values; meta: CommandMeta }[],
    parent: string | undefined,
  ): Promise<(Decision | DomainError)[]> {
    const { noun } = this;
    if (hasSecrets(noun)) throw new Error(`${noun.category} has secrets`);
    const things = all.map(({ data, meta }) => ({
      id: idFor(noun.category, meta),
      fields: noun.within === undefined ? data : { ...data, [noun.within]: parent },
      meta,
    }));
    const [first] = things;
    if (!first) return [];
    const { workspace } = first.meta;
    const places = this.places.together();
    const here = await places.ancestors(first.fields, workspace);
    const taken = await this.names.claimAll(workspace, things);
    return Promise.all(
      things.map(async ({ id, fields, meta }) => {
        try {
          const refusal = taken.get(id);
          if (refusal) throw refusal;
          await places.refuseDangling(fields, here, workspace);
          await this.judge(fields, undefined, workspace);
          return await this.execute(new this.decider.has.Add(id, fields, meta));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          await this.names.release(workspace, fields, id);
          return error;
        }
      }),
    );
  }

  /** An edit that claims values is prepared again if somebody else was faster: the claims were made for what it read. */
  async edit(id: string, given: Values, meta: CommandMeta, revision?: number): Promise<Decision> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.tryEdit(id, given, meta, revision);
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async tryEdit(
    id: string,
    sent: Values,
    meta: CommandMeta,
    revision: number | undefined,
  ): Promise<Decision> {
    const { was: before, revision: expected } = await this.present(id, meta.workspace);
    // A secret that the edited thing no longer has is destroyed like a replaced one.
    const given = withoutUnfit(this.noun, sent, before);
    const after = { ...before, ...given };
    // The decider sees only the references of secrets.
    const [refused] = refusals(this.noun, after, before);
    if (refused) throw invalidField(refused[0].join('.'), refused[1]);
    // What stays is left out: a value that somebody else changes meanwhile is not set back without a claim.
    const data = await this.secrets.withoutSame(changedIn(given, before), before, meta.workspace);
    const here = await this.places.ancestors(before, meta.workspace);
    await this.places.refuseDangling(after, here, meta.workspace, before);
    await this.judge(after, before, meta.workspace);
    await refuseHeld(this.ground.hooks.of(beforeEdit(this.noun)), { id, before, after }, meta.workspace);
    let claimedAt: string | undefined;
    const decision = await this.names.withClaimedName(
      meta.workspace,
      after,
      id,
      (since) => {
        claimedAt = since;
        const only = since === undefined ? undefined : expected;
        return this.secrets.withStoredSecrets(data, before, meta, (fields) =>
          this.execute(new this.decider.has.Edit(id, fields, meta, revision, only)),
        );
      },
      before,
    );
    await this.names.releaseReplaced(meta.workspace, { id, before, after }, claimedAt);
    if (this.secrets.areIn(given)) {
      const events = await this.ground.store.readStream(streamName(this.noun.category, id));
      await this.secrets.shredReplaced(given, events, meta.workspace);
    }
    return decision;
  }

  /** Carries out a command of a rich noun. @throws DomainError `conflict` with the command's reason to refuse */
  async perform(
    name: string,
    id: string,
    data: Values,
    meta: CommandMeta,
    revision?: number,
  ): Promise<Decision> {
    const Own = this.decider.has.own[name];
    if (!Own) throw new Error(`${this.noun.category} has no command ${name}`);
    await this.there(id, meta.workspace);
    return this.execute(new Own(id, data, meta, revision));
  }

  /** @throws DomainError `conflict` if it is held, or other things refer to it unless its name was typed to confirm */
  async remove(
    id: string,
    typed: string | undefined,
    meta: CommandMeta,
    revision?: number,
  ): Promise<Decision> {
    const before = await this.there(id, meta.workspace);
    await refuseHeld(this.ground.hooks.of(beforeRemoval(this.noun)), id, meta.workspace);
    if (typed === undefined) await this.refuseUsed(id, meta.workspace);
    const decision = await this.execute(new this.decider.has.Remove(id, { typed }, meta, revision));
    await this.names.release(meta.workspace, before, id);
    return { ...decision, position: (await this.end(id, followUp(meta))) ?? decision.position };
  }

  /** Restores the last fields. @throws DomainError on a unique field whose value another thing has by now */
  async restore(id: string, meta: CommandMeta): Promise<Decision> {
    const { state } = await this.ground.decisions.load(this.decider, id, meta.workspace);
    if (state.is === 'unknown') throw notFound(this.what);
    await this.refuseHomeless(state.was, meta.workspace);
    if (state.is === 'removed') await this.end(id, followUp(meta));
    return this.names.withClaimedName(meta.workspace, state.was, id, () =>
      this.execute(new this.decider.has.Restore(id, {}, meta)),
    );
  }

  /**
   * The fields as they are recorded now, with the secrets as text, for the back end's own use.
   * @throws DomainError `notFound`
   */
  async opened(id: string, workspace: string): Promise<Values> {
    return this.secrets.opened(await this.there(id, workspace), workspace);
  }

  /** The fields as they are recorded, or were before the removal. @throws DomainError `notFound` */
  async last(id: string, workspace: string): Promise<Values> {
    const { state } = await this.ground.decisions.load(this.decider, id, workspace);
    if (state.is === 'unknown') throw notFound(this.what);
    return state.was;
  }

  /** Reads only the log: what it does not contain was not removed. */
  async wasRemoved(id: string, workspace: string): Promise<boolean> {
    return (await this.ground.decisions.load(this.decider, id, workspace)).state.is === 'removed';
  }

  /** Returns one of the thing's secrets, and records that. */
  async reveal(id: string, field: string, meta: CommandMeta): Promise<{ value: string } & Decision> {
    const value = await this.secrets.revealed(field, await this.there(id, meta.workspace), meta.workspace);
    return { ...(await this.execute(new this.decider.has.Reveal(id, { field }, meta))), value };
  }

  /** @throws DomainError `notFound` if one of the ancestors is gone */
  async refuseHomeless(fields: Values, workspace: string): Promise<void> {
    await this.places.ancestors(fields, workspace);
  }

  private async end(id: string, meta: CommandMeta): Promise<Position | undefined> {
    let last: Position | undefined;
    for (const ends of this.ground.hooks.of(afterRemoval(this.noun))) last = (await ends(id, meta)) ?? last;
    return last;
  }

  private async judge(after: Values, before: Values | undefined, workspace: string): Promise<void> {
    for (const judge of this.ground.hooks.of(judgedFields(this.noun))) await judge(after, before, workspace);
  }

  private async refuseUsed(id: string, workspace: string): Promise<void> {
    const names = await allReferrersTo(this.noun, this.ground, workspace, { ids: [id], besides: [id] });
    if (names.length === 0) return;
    const some = [...names.slice(0, 3), ...(names.length > 3 ? [`${names.length - 3} more`] : [])].join(', ');
    const msg = `${some} would point to nothing: send the ${inWords(this.noun.named)} to delete it anyway`;
    throw new DomainError('conflict', msg);
  }

  /** If the same request came before, its secrets are stored already. */
  private async storedBefore(id: string, workspace: string): Promise<Values> {
    if (!hasSecrets(this.noun)) return {};
    const { state } = await this.ground.decisions.load(this.decider, id, workspace);
    return state.is === 'there' ? state.was : {};
  }

  private execute(command: DomainCommand): Promise<Decision> {
    return this.ground.commands.execute(command as never);
  }

  private async present(id: string, workspace: string): Promise<{ was: Values; revision: number }> {
    const { state, revision } = await this.ground.decisions.load(this.decider, id, workspace);
    if (state.is !== 'there') throw notFound(this.what);
    return { was: state.was, revision };
  }

  private async there(id: string, workspace: string): Promise<Values> {
    const { was } = await this.present(id, workspace);
    await this.places.ancestors(was, workspace);
    return was;
  }
}

const changedIn = (given: Values, before: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([key, value]) => !sameData(value, before[key])));
