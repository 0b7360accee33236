/** All records of one parent, for nouns whose records have an order. They are few. */
import type { PlainNoun } from '@quarterdeck/events';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import { anyCalls } from './any-calls';
import { inParent, type Parents, type View } from './record-fields';

const none: readonly View[] = [];

/** Keeps the same object as long as the parent is the same. */
export const usePlace = ({ within }: Pick<PlainNoun, 'within'>, parents: Parents | undefined): object => {
  const parent = within && parents?.[within];
  return useMemo(
    () => inParent({ within }, within && parent ? { [within]: parent } : undefined),
    [within, parent],
  );
};

/** @returns none as long as they are not loaded, and none of a noun without order */
export const useOrdered = (noun: PlainNoun, parents: Parents | undefined): readonly View[] =>
  (useOrderedQuery(noun, parents).data as readonly View[] | undefined) ?? none;

/** Only a complete list can be reordered. */
export const useOrderedQuery = (noun: PlainNoun, parents: Parents | undefined) =>
  useAnswer(anyCalls(noun).list, usePlace(noun, parents), { skip: noun.inOrder === undefined });
