/** A list that one of its rows is chosen from: how it is asked for, and how a row is named. */
import type { Read } from '@quarterdeck/contract';
import { MAX_PAGE_SIZE, type ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';

interface Named {
  id: string;
}

export interface Choices<Row extends Named = Named> {
  readonly page: Read<ListPageAsked, unknown, ListPage<Row>>;
  readonly detail: Read<{ id: string }, unknown, Row>;
  /** What is asked before anything is typed: the first rows of the list. */
  readonly first: ListPageAsked;
  labelOf(row: Row): string;
  /** What one of them is called: "server". */
  readonly one: string;
  /** What can be chosen besides the rows. */
  readonly besides?: readonly { id: string; label: string }[] | undefined;
}

interface Declared<Label extends Named> {
  page: Read<ListPageAsked, unknown, ListPage<NoInfer<Label>>>;
  detail: Read<{ id: string }, unknown, NoInfer<Label>>;
  sort: string;
  /** What the list is within: `{ product: { id } }`. */
  within?: object | undefined;
  labelOf: (row: Label) => string;
  one: string;
  besides?: readonly { id: string; label: string }[];
}

/** Keep it stable between renders. */
export const choicesOf = <Label extends Named>({ sort, within, ...rest }: Declared<Label>): Choices =>
  ({ ...rest, first: { ...within, sort, size: MAX_PAGE_SIZE } }) as unknown as Choices;
