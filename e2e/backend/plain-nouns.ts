/** Plain nouns, for tests that walk all of them. */
import { plainNouns, type PlainNoun } from '@quarterdeck/events';

/** All plain nouns, without their specific types. */
export const plain: readonly PlainNoun[] = plainNouns;

const depthOf = ({ within }: PlainNoun): number => {
  const parent = plain.find(({ category }) => category === within);
  return parent ? depthOf(parent) + 1 : 0;
};

/** Parents come before their children. */
export const parentsFirst: readonly PlainNoun[] = plain.toSorted((a, b) => depthOf(a) - depthOf(b));
