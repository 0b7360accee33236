/** Changes of texts by people. Keys are unique in a product, for texts and CMS texts separately. */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { InputOf, texts as calls } from '@quarterdeck/contract';
import type { StoredText, TextView } from '@quarterdeck/projections';
import type { Language } from '@quarterdeck/texts';
import { v5 as uuidv5 } from 'uuid';
import type { Decision } from '../platform/decider';
import { type Claims, Decisions, UniqueNames } from '../platform/decisions';
import { conflict, EditConflict, invalidField, notFound } from '../platform/errors';
import { type Hold, refuseHeld } from '../platform/holds';
import { Hooks, type Moment, moment } from '../platform/hooks';
import { type CommandMeta, idFor } from '../platform/sessions';
import { CLAIMS, DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
import {
  AddText,
  CommentOnText,
  type ImportedText,
  ImportText,
  type KnownText,
  RemoveText,
  RemoveTextComment,
  RemoveTranslations,
  RestoreText,
  ReviewTranslation,
  ReviseText,
  type SetBack,
  SetTextBack,
  textDecider,
  type Texts as RecordedTexts,
  TranslateText,
} from './texts.decider';
import { countOfKeys, requireProduct, requireUnit, textDetail } from './texts.queries';

const WAIT_MS = 2000;
/** Maximum number of keys of a product, of texts and CMS texts each. */
export const MAX_KEYS = 50_000;

/** Can prevent removals of a key with its texts, also those that undo an addition. */
export const beforeTextRemoval: Moment<Hold<string>> = moment('before removal of a text');

type Named = Pick<StoredText, 'product' | 'isCms' | 'key'>;

/** What an import changes in a key, which is added if it is new. */
export interface KeyImport extends Named {
  id: string;
  edits: Readonly<Record<string, ImportedText>>;
  meta: CommandMeta;
}

/** Names are compared without regard to case, and keys are not: so the name is a hash. */
const nameOf = ({ product, isCms, key }: Named): string =>
  `${product} ${isCms ? 'cms' : 'text'} ${createHash('sha256').update(key).digest('hex')}`;

export const unitIdOf = (key: string, language: string): string => uuidv5(language, key);

@Injectable()
export class Texts {
  private readonly names: UniqueNames;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(CLAIMS) claims: Claims,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly hooks: Hooks,
  ) {
    this.names = new UniqueNames(claims, {
      scope: 'text-key',
      field: 'data.key',
      taken: 'this product already has this key',
      bearers: `select workspace, id, jsonb_build_object('product', product, 'isCms', "isCms", 'key', key) as name
                from read.texts where "removedAt" is null order by position`,
      nameIn: (selected) => nameOf(selected as Named),
      nameOf: async (workspace, id) => {
        const { state } = await this.decisions.load(textDecider, id, workspace);
        return state.is === 'there' ? nameOf(state) : undefined;
      },
    });
  }

  async add({ data }: InputOf<typeof calls.insert>, meta: CommandMeta): Promise<Decision> {
    const { product, isCms = false, key, texts = {} } = data;
    await requireProduct(this.db, meta.workspace, product.id);
    const keys = await countOfKeys(this.db, meta.workspace, product.id, isCms);
    if (keys >= MAX_KEYS) throw invalidField('data.key', `a product can have at most ${MAX_KEYS} keys`);
    const id = idFor('text', meta);
    const added = { product: product.id, isCms, key, texts: recorded(id, texts) };
    return this.claiming(id, added, meta, () => this.commands.execute(new AddText(id, added, meta)));
  }

  async revise({ uuid, data, revision }: InputOf<typeof calls.update>, meta: CommandMeta): Promise<Decision> {
    const now = await this.there(uuid, meta.workspace);
    const name = nameOf({ ...now, key: data.key ?? now.key });
    return this.telling(uuid, meta, undefined, () =>
      this.names.renamed({ id: uuid, workspace: meta.workspace, name }, (claim) =>
        this.commands.execute(new ReviseText(uuid, { ...data, ...claim }, meta, revision)),
      ),
    );
  }

  async remove(id: string, meta: CommandMeta): Promise<Decision> {
    const now = await this.there(id, meta.workspace);
    await refuseHeld(this.hooks.of(beforeTextRemoval), id, meta.workspace);
    const decision = await this.commands.execute(new RemoveText(id, {}, meta));
    await this.names.releaseUnlessHeld(meta.workspace, nameOf(now), id);
    return decision;
  }

  async restore(id: string, meta: CommandMeta): Promise<Decision> {
    const { state } = await this.decisions.load(textDecider, id, meta.workspace);
    if (state.is === 'unknown') throw notFound('text');
    await requireProduct(this.db, meta.workspace, state.product);
    return this.claiming(id, state, meta, () => this.commands.execute(new RestoreText(id, {}, meta)));
  }

  async addUnit({ i18nKey, name, language }: InputOf<typeof calls.insertUnit>, meta: CommandMeta) {
    await this.there(i18nKey, meta.workspace);
    const texts = recorded(i18nKey, { [language]: name });
    const id = unitIdOf(i18nKey, language);
    const { position } = await this.commands.execute(
      new TranslateText(i18nKey, { texts, isNew: true }, meta),
    );
    return { id, position };
  }

  changeUnit({ id, name, seen }: InputOf<typeof calls.updateUnit>, meta: CommandMeta) {
    return this.ofUnit(id, meta, ({ key, language }) => {
      const texts = recorded(key, { [language]: name });
      return this.commands.execute(new TranslateText(key, { texts, isNew: false }, meta, seen));
    });
  }

  removeUnit(id: string, meta: CommandMeta) {
    return this.ofUnit(id, meta, ({ key, language }) =>
      this.commands.execute(new RemoveTranslations(key, { languages: [language] }, meta)),
    );
  }

  reviewUnit({ id, isReviewed, seen }: InputOf<typeof calls.reviewUnit>, meta: CommandMeta) {
    return this.ofUnit(id, meta, ({ key, language }) =>
      this.commands.execute(new ReviewTranslation(key, { language, isReviewed }, meta, seen)),
    );
  }

  /** @param name the text; undefined removes it */
  async setUnit(key: string, language: Language, name: string | undefined, meta: CommandMeta) {
    await this.there(key, meta.workspace);
    const texts = name === undefined ? {} : recorded(key, { [language]: name });
    return this.commands.execute(
      name === undefined
        ? new RemoveTranslations(key, { languages: [language] }, meta)
        : new TranslateText(key, { texts }, meta),
    );
  }

  async comment({ uuid, text, language }: InputOf<typeof calls.insertComment>, meta: CommandMeta) {
    await this.there(uuid, meta.workspace);
    const comment = idFor('comment', meta);
    const data = { comment, text, ...(language !== undefined && { language }) };
    const { position } = await this.commands.execute(new CommentOnText(uuid, data, meta));
    return { id: comment, position };
  }

  async removeComment({ uuid, comment }: InputOf<typeof calls.deleteComment>, meta: CommandMeta) {
    await this.there(uuid, meta.workspace);
    return this.commands.execute(new RemoveTextComment(uuid, { comment }, meta));
  }

  /** What an import changes in some keys. The log stores the events of concurrent callers together. */
  import(changes: readonly KeyImport[], workspace: string): Promise<PromiseSettledResult<Decision>[]> {
    return this.names.withClaimedNames(
      workspace,
      changes.map(({ id, meta, ...data }) => ({
        id,
        name: nameOf(data),
        work: () => this.commands.execute(new ImportText(id, data, meta)),
      })),
    );
  }

  setBack(id: string, of: Named, back: SetBack, meta: CommandMeta, revision?: number): Promise<Decision> {
    const name = nameOf({ ...of, key: back.key });
    return this.names.renamed({ id, workspace: meta.workspace, name }, (claim) =>
      this.commands.execute(new SetTextBack(id, { ...back, ...claim }, meta, revision)),
    );
  }

  /** @throws DomainError on the key if another one has it */
  refuseTaken(id: string, named: Named, workspace: string): Promise<void> {
    return this.names.refuseTaken(workspace, nameOf(named), id);
  }

  private claiming<T>(
    id: string,
    named: Named,
    { workspace }: CommandMeta,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.names.withClaimedName(workspace, nameOf(named), id, work);
  }

  private async ofUnit(
    id: string,
    meta: CommandMeta,
    change: (unit: { key: string; language: Language }) => Promise<Decision>,
  ): Promise<{ id: string; position: Decision['position'] }> {
    const unit = await requireUnit(this.db, meta.workspace, id);
    const { position } = await this.telling(unit.key, meta, unit.language, () => change(unit));
    return { id, position };
  }

  /** Runs an edit. If somebody else was faster, the conflict says who, and what the text is now. */
  private async telling<T>(
    key: string,
    meta: CommandMeta,
    language: Language | undefined,
    edit: () => Promise<T>,
  ): Promise<T> {
    try {
      return await edit();
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      await this.projections.waitFor(error.position, WAIT_MS);
      const now = await textDetail(this.db, meta.workspace, key);
      throw conflict(now ? await this.saysOf(now, language) : error.msg, now);
    }
  }

  private async saysOf(now: TextView, language: Language | undefined): Promise<string> {
    const unit = now.units.find(({ id }) => language !== undefined && id === unitIdOf(now.id, language));
    const { changedBy, name = now.key } = unit ?? { changedBy: now.changedBy };
    const { rows } = await this.db.query<{ name: string }>(
      'select shown_as as name from app.person_records where id::text = $1',
      [changedBy],
    );
    const who = rows[0]?.name ?? 'Somebody else';
    if (language !== undefined && !unit) return `${who} removed this text in the meantime`;
    return `${who} changed this ${unit ? 'text' : 'key'} in the meantime: it is “${shortened(name)}” now`;
  }

  private async there(id: string, workspace: string): Promise<KnownText> {
    const { state } = await this.decisions.load(textDecider, id, workspace);
    if (state.is !== 'there') throw notFound('text');
    await requireProduct(this.db, workspace, state.product);
    return state;
  }
}

const SHOWN = 200;
const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const recorded = (key: string, texts: Readonly<Partial<Record<string, string>>>): RecordedTexts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([code, text]) =>
      text === undefined ? [] : [[code, { id: unitIdOf(key, code), text }]],
    ),
  );
