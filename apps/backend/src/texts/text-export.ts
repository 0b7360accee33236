/** Files with the texts of a product: all of them, or what changed, also as of an instant. */
import { Inject, Injectable } from '@nestjs/common';
import type { InputOf, texts as calls } from '@quarterdeck/contract';
import { languageCodes, type Format } from '@quarterdeck/texts';
import { Instants, queriesAt } from '../platform/as-of';
import { DB, type Pool } from '../platform/tokens';
import { exportFile } from './text.jobs';
import { workOn } from './text-work';
import { entriesOfProduct, lengthOf, type Queries, requireProduct } from './texts.queries';

@Injectable()
export class TextExport {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly instants: Instants,
  ) {}

  async file(asked: InputOf<typeof calls.export>, workspace: string) {
    const { product: of, isCms = false, format, languages = languageCodes, since, at } = asked;
    const db = at === undefined ? this.db : await this.asOf(at, workspace, 'at');
    const product = await requireProduct(db, workspace, of.id);
    const entries = await entriesOfProduct(db, workspace, of.id, isCms, languages);
    const earlier = since === undefined ? undefined : await this.asOf(since, workspace, 'since');
    const before = earlier && (await entriesOfProduct(earlier, workspace, of.id, isCms, languages));
    const fileName = stemOf(product.name, isCms);
    const input = {
      entries,
      since: before,
      format: format as Format,
      languages,
      product: product.name,
      fileName,
    };
    const file = await workOn(exportFile, input, lengthOf([...entries, ...(before ?? [])]));
    const disposition = `attachment; filename="${file.name}"`;
    return { bytes: Buffer.from(file.bytes), disposition };
  }

  private async asOf(at: string, workspace: string, field: string): Promise<Queries> {
    return queriesAt(await this.instants.resolve(at, workspace, field), this.db);
  }
}

/** `shop-texts` */
const stemOf = (product: string, isCms: boolean): string => {
  const stem = product
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${stem || 'product'}-${isCms ? 'cms' : 'texts'}`;
};
