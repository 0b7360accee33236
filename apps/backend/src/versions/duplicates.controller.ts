/** Duplicates an entity with its attributes, as a recorded run. */
import { Controller, Inject } from '@nestjs/common';
import { entities, type InputOf } from '@quarterdeck/contract';
import { copyOf, tableOf } from '@quarterdeck/data-model';
import { entity } from '@quarterdeck/events';
import { dataModelOf } from '../entities';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { detailOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { ModelEdits, type Edited } from './model-edits';
import { addedEntity } from './model-recording';

@Controller()
export class DuplicatesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly edits: ModelEdits,
  ) {}

  /** @throws DomainError `unprocessable` for an imported table: its keys and indexes have names of their own */
  @Answers(entities.duplicate)
  async duplicate({ id, data: { name } }: InputOf<typeof entities.duplicate>, { meta }: Asker) {
    const found = await detailOf(entity, this.db, meta.workspace, id);
    if (!found) throw notFound('entity');
    const product = String(found['product']);
    const earlier = await this.edits.earlier(product, meta);
    if (earlier) return made(earlier);
    const model = await dataModelOf(this.db, meta.workspace, product);
    const original = model.entities.find((one) => one.id === id);
    if (!original) throw notFound('entity');
    if (original.native)
      throw new DomainError(
        'unprocessable',
        `${original.name} was imported: its keys and indexes belong to one table`,
      );
    const isTaken = model.entities.some(
      (one) =>
        one.name.toLowerCase() === name.toLowerCase() ||
        tableOf(one).toLowerCase() === tableOf({ name }).toLowerCase(),
    );
    if (isTaken) throw invalidField('data.name', 'another entity already has this name');
    return made(await this.edits.carryOut({ edits: copyOf(original, name), left: [] }, product, meta));
  }
}

/** Of one entity, nothing is added unless the entity itself is. */
const made = ({ run, edits, left, position }: Edited) => {
  if (edits === 0 || position === undefined) throw new DomainError('unprocessable', left.join(' '));
  const id = addedEntity(run, 0);
  return written({ id, uuid: id }, position);
};
