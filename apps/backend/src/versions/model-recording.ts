/**
 * Records the edits of a run in a data model. Each is a separate event, as if an operator had made it; those of new tables
 * are recorded table by table.
 */
import { Inject, Injectable } from '@nestjs/common';
import { numberOfType, type Adopted, type Adoption, type Attribute } from '@quarterdeck/data-model';
import { attribute, entity } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { type PlainRecords, recordsOf, type Values } from '../platform/kit';
import { type CommandMeta, idFor } from '../platform/sessions';
import type { LocalIo, Report, RunContext } from '../runs';
import { editOrder, type Placed, type Table } from './edit-batches';

/** How far a run is. */
export interface Recorded {
  readonly edits: number;
  readonly tables: number;
  /** Edits that were not made, and why. */
  readonly refused: readonly string[];
}

interface Records {
  readonly entity: PlainRecords;
  readonly attribute: PlainRecords;
}

@Injectable()
export class ModelRecording {
  private readonly records: Records;

  constructor(
    @Inject(recordsOf(entity)) entities: PlainRecords,
    @Inject(recordsOf(attribute)) attributes: PlainRecords,
  ) {
    this.records = { entity: entities, attribute: attributes };
  }

  /**
   * Can be repeated: an edit has the same ids again, so it is recorded only once.
   * @param told hears of each batch of tables
   */
  async perform(
    edits: Adopted['edits'],
    { run, request }: RunContext,
    io: LocalIo,
    told: (tables: number) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Recorded> {
    const work = new Recording(this.records, request.subject.id, run, io);
    const { batches, others } = editOrder(edits);
    for (const batch of batches) {
      io.signal.throwIfAborted();
      await work.add(batch);
      await told(work.tables);
    }
    for (const other of others) {
      io.signal.throwIfAborted();
      await work.edit(other);
    }
    return { edits: edits.length - work.left, tables: work.tables, refused: work.refused };
  }
}

/** The work of one run. */
class Recording {
  tables = 0;
  /** How many edits were not made. */
  left = 0;
  readonly refused: string[] = [];
  /** Ids of the new entities, by their ids in the list of edits. */
  private readonly ids = new Map<string, string>();
  private readonly idOf = (id: string): string => this.ids.get(id) ?? id;

  constructor(
    private readonly records: Records,
    private readonly product: string,
    private readonly run: string,
    private readonly io: LocalIo,
  ) {}

  async add(batch: readonly Table[]): Promise<void> {
    const metaOf = ({ at }: Placed) => this.metaOf(at);
    for (const { entity: one } of batch) this.ids.set(one.edit.entity.id, idFor('entity', metaOf(one)));
    const entities = batch.map(({ entity: one, attributes }) => {
      const attributeOrder = attributes.map((its) => idFor('attribute', metaOf(its)));
      return { data: entityFields(one.edit.entity, attributeOrder), meta: metaOf(one) };
    });
    const added = await this.records.entity.addAll(entities, this.product);
    await Promise.all(
      batch.map(async ({ entity: { edit }, attributes }, at) => {
        const [id, words] = [this.idOf(edit.entity.id), wordsOf(edit)];
        const refusal = added[at];
        if (refusal instanceof DomainError && !(await this.wasMade(refusal, 'entity', id))) {
          const its = attributes.length;
          return this.refuse(`${words} and its ${its} attributes`, refusal, its + 1);
        }
        await this.addAttributes(id, attributes);
        this.tables += 1;
        this.io.print(`${words}: ${attributes.length} attributes\n`);
      }),
    );
  }

  /** Operators may be editing the model at the same time. */
  async edit({ at, edit }: Placed): Promise<void> {
    try {
      await this.one(edit, this.metaOf(at));
      this.io.print(`${wordsOf(edit)}\n`);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      if (error.code === 'notFound' && 'id' in edit) return;
      this.refuse(wordsOf(edit), error);
    }
  }

  private async addAttributes(id: string, all: Table['attributes']): Promise<void> {
    const given = all.map((one) => ({
      data: newFields(one.edit.attribute, this.idOf),
      meta: this.metaOf(one.at),
    }));
    const added = await this.records.attribute.addAll(given, id).catch((error: unknown) => {
      // Somebody has removed the entity since.
      if (error instanceof DomainError && error.code === 'notFound') return [];
      throw error;
    });
    for (const [at, decision] of added.entries()) {
      const meta = given[at]?.meta;
      if (!(decision instanceof DomainError) || !meta) continue;
      if (await this.wasMade(decision, 'attribute', idFor('attribute', meta))) continue;
      const one = all[at]?.edit;
      if (one) this.refuse(wordsOf(one), decision);
    }
  }

  /** An earlier attempt made the edit, and somebody has changed or removed since what it made. */
  private async wasMade(refusal: DomainError, what: keyof Records, id: string): Promise<boolean> {
    if (refusal.code === 'unavailable') throw refusal;
    if (refusal.code !== 'conflict') return false;
    return this.records[what].last(id, this.io.meta.workspace).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DomainError && error.code === 'notFound') return false;
        throw error;
      },
    );
  }

  private async one(edit: Adoption, meta: CommandMeta): Promise<unknown> {
    const { entity: entities, attribute: attributes } = this.records;
    switch (edit.do) {
      case 'addEntity':
        throw new Error('new entities are added with their attributes');
      case 'editEntity': {
        const { id, name: _as, ...changed } = edit.entity;
        return entities.edit(id, changed, meta);
      }
      case 'addAttribute':
        return attributes.add(newFields(edit.attribute, this.idOf), edit.entity, meta);
      case 'editAttribute': {
        const { id, name: _as, renamed, ...changed } = edit.attribute;
        const name = renamed === undefined ? {} : { name: renamed };
        return attributes.edit(id, fieldsOf({ ...changed, ...name }, this.idOf), meta);
      }
      case 'removeAttribute':
        return attributes.remove(edit.id, edit.name, meta);
      case 'removeEntity':
        return entities.remove(edit.id, edit.name, meta);
    }
  }

  private refuse(words: string, { msg }: DomainError, edits = 1): void {
    this.left += edits;
    this.refused.push(`${words}: ${msg}.`);
    this.io.print(`${this.refused.at(-1)}\n`);
  }

  private metaOf(at: number): CommandMeta {
    return { ...followUp(this.io.meta, this.run), ...commandOf(this.run, at) };
  }
}

const commandOf = (run: string, at: number) => ({
  commandId: uuidv5(`edit ${at}`, run),
  keyed: true as const,
});

/** The id of the entity that an edit of a run adds. @param at its place in the list of edits */
export const addedEntity = (run: string, at: number): string => idFor('entity', commandOf(run, at));

/** The report of the step that recorded the edits. */
export const reportOf = ({ edits, tables, refused }: Recorded): Report => ({
  edits: String(edits),
  ...(tables > 0 && { tables: String(tables) }),
  ...(refused.length > 0 && { refused: refused.join('\n') }),
});

/** Everything that the entity has travels, whatever it is. */
const entityFields = (
  { id: _id, attributes: _none, table = '', ...fields }: Extract<Adoption, { do: 'addEntity' }>['entity'],
  attributeOrder: readonly string[],
): Values => ({ native: null, ...fields, table, attributeOrder });

/** Of a new attribute: all of them, also those that are empty. */
const newFields = (attribute: Attribute, idOf: (id: string) => string): Values =>
  fieldsOf({ column: '', ...attribute, native: attribute.native ?? null }, idOf);

/** If the type is set, its references are set too, or cleared. */
const fieldsOf = (
  {
    id: _id,
    type,
    foreignEntity,
    optionSet,
    ...others
  }: Partial<Omit<Attribute, 'native'>> & {
    native?: Attribute['native'] | null;
  },
  idOf: (id: string) => string,
): Values => ({
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
