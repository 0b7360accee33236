/** The calls of a plain noun without its types, for components that serve every noun. */
import { callsOf, contract, type NounCalls, type Read } from '@quarterdeck/contract';
import type { ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';
import type { PlainNoun } from '@quarterdeck/events';
import type { Values } from './plain-fields';

export const anyCalls = (noun: PlainNoun): NounCalls<Values, string, never> =>
  callsOf(noun) as unknown as NounCalls<Values, string, never>;

export type Row = { id: string } & Readonly<Record<string, unknown>>;

interface ListCalls {
  page: Read<ListPageAsked, unknown, ListPage<Row>>;
  detail: Read<{ id: string }, unknown, Row>;
}

/** The page and detail calls of any noun. Nouns with rules have calls with the same names. */
export const listCallsOf = (category: string, plain: Pick<PlainNoun, 'category'> | undefined): ListCalls => {
  const found = plain
    ? callsOf(plain as PlainNoun)
    : Object.fromEntries(['page', 'detail'].map((key) => [key, callNamed(`${category}.${key}`)]));
  return found as unknown as ListCalls;
};

const callNamed = (id: string) => {
  const found = contract.find((call) => call.id === id);
  if (!found) throw new Error(`${id} is not in the contract`);
  return found;
};
