/**
 * Edits a data model from within the back end, as a recorded run: if this process dies, another one makes the remaining
 * edits. Each edit is a separate event, as if an operator had made it.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { numberOfType, type Adopted, type Adoption, type Attribute } from '@quarterdeck/data-model';
import { attribute, entity, type Position } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import type { Decision } from '../platform/decider';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { type PlainRecords, recordsOf } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import { type LocalIo, type RunContext, RunEngine, type RunRequest, runsDecider } from '../runs';
import { Versions } from './versions';

export interface Edited {
  edits: number;
  /** Edits that were not made, and why. */
  left: string[];
  /** Undefined if no edit was made. */
  position: Position | undefined;
}

const KIND = 'editModel';
const HOUR_MS = 3_600_000;

@Injectable()
export class ModelEdits implements OnModuleInit {
  constructor(
    @Inject(recordsOf(entity)) private readonly entities: PlainRecords,
    @Inject(recordsOf(attribute)) private readonly attributes: PlainRecords,
    private readonly versions: Versions,
    private readonly runs: RunEngine,
    private readonly decisions: Decisions,
  ) {}

  onModuleInit(): void {
    this.runs.register({
      kind: KIND,
      changes: true,
      steps: [
        {
          name: 'edit',
          on: 'console',
          timeoutMs: HOUR_MS,
          repeatable: true,
          perform: (context, io) => this.perform(context, io),
        },
      ],
    });
  }

  /**
   * Skips refused edits.
   * @throws DomainError if somebody cancelled the run
   */
  async carryOut({ edits, left }: Adopted, product: string, meta: CommandMeta): Promise<Edited> {
    if (edits.length === 0) return { edits: 0, left: [...left], position: undefined };
    const subject = {
      kind: 'product',
      id: product,
      name: await this.versions.productName(product, meta.workspace),
    };
    const input = { edits, left } as unknown as RunRequest['input'];
    const { runId } = await this.runs.start(idFor('run', meta), KIND, { subject, input }, meta);
    return this.outcome(runId, left, meta);
  }

  /** The outcome of an earlier call with the same Idempotency-Key; undefined if there was none. */
  async earlier(product: string, meta: CommandMeta): Promise<Edited | undefined> {
    if (!meta.keyed) return undefined;
    const run = idFor('run', meta);
    const { state } = await this.decisions.load(runsDecider, run, meta.workspace);
    if (state.is === 'unknown' || state.request.subject.id !== product) return undefined;
    const { left = [] } = state.request.input as unknown as Partial<Adopted>;
    return this.outcome(run, left, meta);
  }

  private async outcome(run: string, left: readonly string[], meta: CommandMeta): Promise<Edited> {
    const { end, lastStep, position } = await this.runs.ended(run, meta.workspace);
    if (end.is !== 'succeeded') throw new DomainError('unprocessable', end.reason);
    const { edits: made, refused } = lastStep?.report ?? {};
    return { edits: Number(made), left: [...left, ...(refused?.split('\n') ?? [])], position };
  }

  /** Makes the edits one after the other. */
  private async perform({ run, request }: RunContext, io: LocalIo) {
    const { edits } = request.input as unknown as Adopted;
    const refused: string[] = [];
    const ids = new Map<string, string>();
    for (const [at, edit] of edits.entries()) {
      io.signal.throwIfAborted();
      // A repeated edit has the same command id, so it is recorded only once.
      const commandId = uuidv5(`edit ${at}`, run);
      const meta = { ...followUp(io.meta, run), commandId, keyed: true as const };
      try {
        await this.one(edit, request.subject.id, ids, meta);
        io.print(`${at + 1}/${edits.length} ${wordsOf(edit)}\n`);
      } catch (error) {
        // Operators may be editing the model at the same time.
        if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
        if (error.code === 'notFound' && 'id' in edit) continue;
        refused.push(`${wordsOf(edit)}: ${error.msg}.`);
        io.print(`${at + 1}/${edits.length} ${refused.at(-1)}\n`);
      }
    }
    const made = String(edits.length - refused.length);
    return { report: { edits: made, ...(refused.length > 0 && { refused: refused.join('\n') }) } };
  }

  private async one(
    edit: Adoption,
    product: string,
    ids: Map<string, string>,
    meta: CommandMeta,
  ): Promise<Decision> {
    const idOf = (id: string): string => ids.get(id) ?? id;
    switch (edit.do) {
      case 'addEntity': {
        const { id, name, table = '', isUuid } = edit.entity;
        const added = await this.entities.add({ name, table, isUuid, attributeOrder: [] }, product, meta);
        ids.set(id, added.id);
        return added;
      }
      case 'editEntity':
        return this.entities.edit(edit.entity.id, { isUuid: edit.entity.isUuid }, meta);
      case 'addAttribute':
        return this.attributes.add(
          fieldsOf({ column: '', ...edit.attribute }, idOf),
          idOf(edit.entity),
          meta,
        );
      case 'editAttribute': {
        const { id, name: _as, renamed, ...changed } = edit.attribute;
        const name = renamed === undefined ? {} : { name: renamed };
        return this.attributes.edit(id, fieldsOf({ ...changed, ...name }, idOf), meta);
      }
      case 'removeAttribute':
        return this.attributes.remove(edit.id, edit.name, meta);
      case 'removeEntity':
        return this.entities.remove(edit.id, edit.name, meta);
    }
  }
}

/** If the type is set, its references are set too, or cleared. */
const fieldsOf = (
  { id: _id, type, foreignEntity, optionSet, ...others }: Partial<Attribute>,
  idOf: (id: string) => string,
) => ({
  ...others,
  ...(type !== undefined && {
    type: numberOfType(type),
    foreignEntity: foreignEntity === undefined ? null : { id: idOf(foreignEntity) },
    modelOptionSet: optionSet === undefined ? null : { id: optionSet },
  }),
});

const wordsOf = (edit: Adoption): string => {
  if (edit.do === 'addEntity' || edit.do === 'editEntity') return `Entity ${edit.entity.name}`;
  return 'attribute' in edit ? `Attribute ${edit.attribute.name}` : edit.name;
};
