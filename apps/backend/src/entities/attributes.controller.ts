/** Queries for attributes across entities, and for the whole model. */
import { Controller, Inject } from '@nestjs/common';
import { attributes, entities, type InputOf } from '@quarterdeck/contract';
import { entity, optionSet, product, type PlainNoun } from '@quarterdeck/events';
import { notFound } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { detailOf } from '../platform/kit';
import { askedInstant, Instants } from '../platform/as-of';
import { DB, type Pool } from '../platform/tokens';
import { compared } from './compared';
import { attributesOf, graphOf } from './entities.queries';

@Controller()
export class AttributesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly instants: Instants,
  ) {}

  @Answers(attributes.listAssociated)
  async listAssociated({ id }: InputOf<typeof attributes.listAssociated>, { session }: Asker) {
    await this.refuseUnknown('entity', id, session.workspace, [entity, optionSet]);
    return attributesOf(this.db, session.workspace, { leadingTo: id });
  }

  @Answers(attributes.listWEntity)
  async listWEntity({ product: { id } }: InputOf<typeof attributes.listWEntity>, { session }: Asker) {
    await this.refuseUnknown('product', id, session.workspace, [product]);
    return attributesOf(this.db, session.workspace, { product: id });
  }

  @Answers(entities.visualization)
  async visualization(
    { product: { id }, since }: InputOf<typeof entities.visualization>,
    { session: { workspace } }: Asker,
  ) {
    await this.refuseUnknown('product', id, workspace, [product]);
    const now = await graphOf(this.db, workspace, id);
    if (since === undefined) return now;
    const instant = await this.instants.resolve(since, workspace, 'since');
    return compared(await askedInstant.run(instant, () => graphOf(this.db, workspace, id)), now);
  }

  /** @throws DomainError `notFound` if none of the nouns has this id */
  private async refuseUnknown(
    what: string,
    id: string,
    workspace: string,
    nouns: readonly PlainNoun[],
  ): Promise<void> {
    const found = await Promise.all(nouns.map((noun) => detailOf(noun, this.db, workspace, id)));
    if (found.every((one) => one === undefined)) throw notFound(what);
  }
}
