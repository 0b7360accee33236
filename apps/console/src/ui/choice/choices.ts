/** A list to choose a row from: the calls that fetch it, and how to label a row. */
import type { Read } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE, type ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';

interface Named {
  id: string;
}

export interface Choices<Row extends Named = Named> {
  readonly page: Read<ListPageAsked, unknown, ListPage<Row>>;
  readonly detail: Read<{ id: string }, unknown, Row>;
  /** The name of the id in the input of `detail`, if it is another. */
  readonly by?: 'uuid' | undefined;
  /** Input for the first rows of the list, used before anything is typed. */
  readonly first: ListPageAsked;
  labelOf(row: Row): string;
  /** Word for one row: "server". */
  readonly one: string;
  /** Choices in addition to the rows. */
  readonly besides?: readonly { id: string; label: string }[] | undefined;
}

interface Declared<Label extends Named> {
  page: Read<ListPageAsked, unknown, ListPage<NoInfer<Label>>>;
  detail: Read<{ id: string }, unknown, NoInfer<Label>> | Read<{ uuid: string }, unknown, NoInfer<Label>>;
  by?: 'uuid';
  sort: string;
  /** Parent that the list belongs to: `{ product: { id } }`. */
  within?: object | undefined;
  labelOf: (row: Label) => string;
  one: string;
  besides?: readonly { id: string; label: string }[];
}

/** Keep it stable between renders. */
export const choicesOf = <Label extends Named>({ sort, within, ...rest }: Declared<Label>): Choices =>
  ({ ...rest, first: { ...within, sort, size: MAX_PAGE_SIZE } }) as unknown as Choices;
