import { pageOf, type ListAsked, type ListColumn } from '@quarterdeck/projections';
import type { Call, Reply } from './network';

/** Answers a call about one page of a list with the rules that the back end uses. */
export const pagesOf =
  <Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]) =>
  ({ body }: Call): Reply => ({ body: pageOf(rows, columns, body as ListAsked) });
