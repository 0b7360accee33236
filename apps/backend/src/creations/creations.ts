/** Creations: work in sections that any operator carries on. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  creationPlans,
  product,
  type CreationKind,
  type CreationSection,
  type EventData,
  type Position,
} from '@quarterdeck/events';
import { fieldMessages, sectionInputs, sectionSecrets } from '@quarterdeck/events/inputs';
import { namesToType, type CreationSectionView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { VAULT, type Vault } from '../platform/tokens';
import { orShred } from '../platform/vault';
import { RepositoryReads } from '../repositories';
import { RunEngine, type RunRequest } from '../runs';
import { sectionKind, UNDO_KIND } from './creation-runs';
import type { SectionInput } from './section-work';
import type { UndoInput } from './section-undo';
import { ServicePlans } from './service-plans';
import {
  AbandonCreation,
  creationsDecider,
  refusedValues,
  ResumeSection,
  StartCreation,
  StartSection,
  StartUndo,
  type CreationState,
  type Secrets,
} from './creations.decider';

type Values = EventData<'CreationSectionFilled'>['values'];
type StartedCreation = Extract<CreationState, { is: 'known' }>;

/** The same request has the same runs, so asking twice joins. */
const runOf =
  (creation: string, section: string, undo = '') =>
  (attempt: number): string =>
    uuidv5(`${undo}${section} ${attempt}`, creation);

/** @throws DomainError that names the field: `values.name` */
export const checkedValues = (section: CreationSection, values: unknown): Values => {
  const { success, data, error } = sectionInputs[section].safeParse(values);
  if (success) return data as Values;
  throw refusedValues(fieldMessages(error));
};

export interface StartedSection {
  runId: string;
  position: Position;
}

@Injectable()
export class Creations {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly engine: RunEngine,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
    private readonly repositories: RepositoryReads,
    private readonly services: ServicePlans,
  ) {}

  async begin(
    kind: CreationKind,
    given: Values,
    meta: CommandMeta,
  ): Promise<StartedSection & { id: string }> {
    const id = idFor('creation', meta);
    const plan = [...creationPlans[kind]];
    const first = creationPlans[kind][0];
    const name = await this.nameOf(id, this.judged(first, given), meta.workspace);
    await this.commands.execute(new StartCreation(id, { kind, name, plan }, meta));
    return { id, ...(await this.start(id, first, given, followed(meta, 'first section'))) };
  }

  async start(
    id: string,
    section: CreationSection,
    given: Values,
    meta: CommandMeta,
    revision?: number,
  ): Promise<StartedSection> {
    const { workspace } = meta;
    const { values, secrets, kept } = this.withoutSecrets(section, this.judged(section, given), meta);
    const asked = { section, values, secrets, runOf: runOf(id, section) };
    const command = new StartSection(id, asked, meta, revision);
    const { state: before } = await this.decisions.load(creationsDecider, id, workspace);
    // Refuses before a secret is stored. A repeated request finds what it made itself.
    if (creationsDecider.decide(command, before).length > 0 && before.is === 'known') {
      const { values: filled, made } = enteredIn(before, section);
      const entered = { values: { ...filled, [section]: values }, made };
      const taken = await this.services.problems(section, entered, workspace);
      const isTaken = Object.keys(taken).length > 0;
      // A repetition of this request may have made it in the meantime.
      if (isTaken && creationsDecider.decide(command, await this.known(id, workspace)).length > 0)
        throw refusedValues(taken);
    }
    for (const { ref, secret } of kept)
      await this.vault.put({ workspace, ref }, secret, { kind: 'creation' });
    const refs = kept.map(({ ref }) => ref);
    await orShred(this.vault, workspace, refs, () => this.commands.execute(command));
    // A repeated request has recorded other references, and a new attempt has replaced those of the one before.
    const now = (await this.known(id, workspace)).secrets[section] ?? {};
    const used = new Set(Object.values(now).map(({ ref }) => ref));
    const earlier = Object.values((before.is === 'known' ? before.secrets[section] : undefined) ?? {});
    for (const ref of [...refs, ...earlier.map((one) => one.ref)])
      if (!used.has(ref)) await this.vault.shred({ workspace, ref });
    return this.resume(id, section, meta);
  }

  /**
   * Starts the run of a section that is in progress, or joins it.
   * @returns the position of the run: whoever reads from there on finds the section and its run
   */
  async resume(id: string, name: CreationSection, meta: CommandMeta): Promise<StartedSection> {
    const state = await this.known(id, meta.workspace);
    const section = sectionIn(state, name);
    const run = section.run ?? '';
    const input = {
      creation: id,
      section: name,
      attempt: section.attempt,
      ...enteredIn(state, name),
      secrets: state.secrets[name] ?? {},
    };
    const subject = { kind: 'creation', id, name: state.name };
    return this.engine.start(run, sectionKind(name), { subject, input: asInput(input) }, followUp(meta));
  }

  /** Continues the run of a failed section. The source host gets the token of who continues. */
  async retry(id: string, name: CreationSection, meta: CommandMeta): Promise<StartedSection> {
    const state = await this.known(id, meta.workspace);
    const { run, state: is } = sectionIn(state, name);
    if (run === undefined || (is !== 'failed' && is !== 'running'))
      throw new DomainError('conflict', 'only a section that failed can be retried');
    // Recorded afterwards: if this process dies in between, the end of the run is recorded nevertheless.
    const retried = is === 'failed' ? await this.engine.retry(run, followed(meta, 'retry')) : undefined;
    const { position } = await this.commands.execute(new ResumeSection(id, { section: name }, meta));
    // The section may have been recorded as resumed before, and this attempt of its run is newer.
    return { runId: run, position: newest(retried?.position, position) };
  }

  async undo(
    id: string,
    name: CreationSection,
    meta: CommandMeta,
    { revision, typed = '' }: { revision?: number | undefined; typed?: string | undefined } = {},
  ): Promise<StartedSection> {
    const asked = { section: name, runOf: runOf(id, name, 'undo '), typed };
    const command = new StartUndo(id, asked, meta, revision);
    await this.commands.execute(command);
    return this.resumeUndo(id, name, meta);
  }

  /** Starts the run of an undo that is in progress, or joins it. */
  async resumeUndo(id: string, name: CreationSection, meta: CommandMeta): Promise<StartedSection> {
    const state = await this.known(id, meta.workspace);
    const section = sectionIn(state, name);
    const { run = '', undoRun = '', undos, made } = section;
    const subject = { kind: 'creation', id, name: state.name };
    const domain = domainIn(state);
    const input: UndoInput = {
      creation: id,
      section: name,
      attempt: undos,
      run,
      made,
      isConfirmed: namesToType(section).length > 0,
      ...(domain !== undefined && { domain }),
    };
    return this.engine.start(undoRun, UNDO_KIND, { subject, input: asInput(input) }, followUp(meta));
  }

  async abandon(id: string, meta: CommandMeta): Promise<{ id: string; position: Position }> {
    const { secrets } = await this.known(id, meta.workspace);
    const { position } = await this.commands.execute(new AbandonCreation(id, {}, meta));
    await this.forget(Object.values(secrets), meta.workspace);
    return { id, position };
  }

  /** Destroys secrets that no section needs any more: the feature that got them has its own. */
  async forget(secrets: readonly Secrets[], workspace: string): Promise<void> {
    for (const fields of secrets)
      for (const { ref } of Object.values(fields)) await this.vault.shred({ workspace, ref });
  }

  /** Read from the log, so it is always current. @throws DomainError `notFound` */
  async known(id: string, workspace: string): Promise<StartedCreation> {
    const { state } = await this.decisions.load(creationsDecider, id, workspace);
    if (state.is === 'unknown') throw notFound('creation');
    return state;
  }

  /** Also by what the schema does not know. @throws DomainError that names the field */
  private judged(section: CreationSection, given: Values): Values {
    const values = checkedValues(section, given);
    const { repoUrl } = values;
    if (section === 'repo' && typeof repoUrl === 'string')
      this.repositories.placeIn(repoUrl, 'values.repoUrl');
    return values;
  }

  /** Of what is created: the product's name as it is recorded now, or the repository's. */
  private async nameOf(id: string, values: Values, workspace: string): Promise<string> {
    const {
      product: chosen,
      name,
      repoUrl,
    } = values as {
      product?: { id: string };
      name?: string;
      repoUrl?: string;
    };
    if (repoUrl !== undefined) {
      const { organization, repo } = this.repositories.placeIn(repoUrl);
      return `${organization}/${repo}`;
    }
    if (chosen === undefined) return name ?? '';
    // A repeated request finds the creation, whatever became of the product since.
    const { state } = await this.decisions.load(creationsDecider, id, workspace);
    if (state.is === 'known') return state.name;
    const found = await this.products.opened(chosen.id, workspace).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'notFound') throw error;
      throw invalidField('values.product', 'this product does not exist, or does not exist any more');
    });
    return String(found['name']);
  }

  private withoutSecrets(section: CreationSection, values: Values, meta: CommandMeta) {
    const fields = sectionSecrets[section] ?? [];
    const rest = Object.entries(values).filter(
      ([field, value]) => !fields.includes(field) && value !== undefined,
    );
    const kept = fields.flatMap((field) => {
      const secret = values[field];
      return typeof secret === 'string' ? [{ field, secret, ref: idFor(`creation ${field}`, meta) }] : [];
    });
    const secrets: Secrets = Object.fromEntries(kept.map(({ field, ref }) => [field, { ref }]));
    return { values: Object.fromEntries(rest) as Values, secrets, kept };
  }
}

const newest = (one: Position | undefined, other: Position): Position =>
  one !== undefined && BigInt(one) > BigInt(other) ? one : other;

const sectionIn = ({ sections }: StartedCreation, name: string): CreationSectionView => {
  const found = sections.find(({ section }) => section === name);
  if (!found) throw notFound('section');
  return found;
};

/** What was entered up to this section, and made before it. */
const enteredIn = (state: StartedCreation, name: string): Pick<SectionInput, 'values' | 'made'> => {
  const at = state.sections.indexOf(sectionIn(state, name));
  const of = (key: 'values' | 'made', to: number) =>
    Object.fromEntries(state.sections.slice(0, to).map((one) => [one.section, one[key] ?? {}]));
  return { values: of('values', at + 1), made: of('made', at) };
};

/** Chosen, or made. */
const domainIn = ({ sections }: StartedCreation): string | undefined =>
  sections
    .flatMap(({ values, made }) => [
      (values?.['domain'] as { id?: string } | undefined)?.id,
      ...made.map(({ kind, id }) => (kind === 'domain' ? id : undefined)),
    ])
    .find((id) => id !== undefined);

const asInput = (input: object): RunRequest['input'] => input as unknown as RunRequest['input'];

const followed = (meta: CommandMeta, what: string): CommandMeta => ({
  ...followUp(meta),
  ...(meta.keyed && { keyed: true, commandId: uuidv5(what, meta.commandId) }),
});
