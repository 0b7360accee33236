/** The calls of a noun of the kit without its types, for components that serve every noun. */
import { callsOf, contract, type AnyNounCalls, type Read } from '@quarterdeck/contract';
import type { ListPageAsked } from '@quarterdeck/events/inputs';
import type { ListPage } from '@quarterdeck/projections';
import type { PlainNoun } from '@quarterdeck/events';

export const anyCalls = (noun: PlainNoun): AnyNounCalls =>
  (callsOf(noun) ?? callsBelow(noun.path)) as unknown as AnyNounCalls;

/** The calls of a noun with a read model of its own. */
const callsBelow = (path: string) =>
  Object.fromEntries(
    contract.flatMap((call) =>
      call.path.startsWith(`${path}/`) ? [[call.path.slice(path.length + 1), call]] : [],
    ),
  );

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
