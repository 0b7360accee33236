import { pageOf, type ListAsked, type ListColumn } from '@quarterdeck/projections';
import type { Call, Reply } from './network';

/** Answers a call for one page of a list by the back end's own paging rules. */
export const pagesOf =
  <Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]) =>
  ({ body }: Call): Reply => ({ body: pageOf(rows, columns, body as ListAsked) });
