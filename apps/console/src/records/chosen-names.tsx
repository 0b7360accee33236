/** The present names of several chosen records, as a part of a sentence. */
import { Fragment } from 'react';
import { ChosenName, type Choices } from '../ui/choice';
import { domainChoices, productChoices, serverChoices } from './choices';

/** What alerts may be about, by the field in which it is chosen. */
export const chosenThings = {
  servers: serverChoices,
  sites: domainChoices,
  products: productChoices,
} as const;
type ChosenIn = keyof typeof chosenThings;

interface NamedChoice {
  from: Choices;
  id: string;
}

/** `web-1, web-2 or shop.example.org` */
export const Names = ({ all, last }: { all: readonly NamedChoice[]; last: string }) => (
  <>
    {all.map(({ from, id }, at) => (
      <Fragment key={id}>
        {at > 0 && (at === all.length - 1 ? ` ${last} ` : ', ')}
        <b>
          <ChosenName from={from} id={id} />
        </b>
      </Fragment>
    ))}
  </>
);

export const namedBy = (from: Choices, ids: readonly string[]): NamedChoice[] =>
  ids.map((id) => ({ from, id }));

/** @param none said if nothing is chosen */
export const NamesOf = ({ of, ids, none }: { of: ChosenIn; ids: readonly string[]; none: string }) =>
  ids.length === 0 ? none : <Names all={namedBy(chosenThings[of], ids)} last="and" />;
