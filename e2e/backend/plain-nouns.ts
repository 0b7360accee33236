/** What tests that walk all calls need to know of plain nouns: nothing that the nouns do not say themselves. */
import { plainNouns, type Field, type PlainNoun } from '@quarterdeck/events';

/** All of them, without their types. */
export const plain: readonly PlainNoun[] = plainNouns;

const valueOf = ({ kind, of = [] }: Field<unknown>, name: string): unknown => {
  switch (kind) {
    case 'text':
    case 'paragraphs':
      return name;
    case 'integer':
      return 1;
    case 'flag':
      return true;
    case 'choice':
      return of[0];
  }
};

/** Fields that the noun's calls accept. */
export const valuesOf = ({ fields }: PlainNoun, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, valueOf(field, name)]));

/** The input by which one says what a thing will belong to. */
export const parentOf = ({ within }: PlainNoun, id: string | undefined): object =>
  within === undefined ? {} : { [within]: { id } };

/** Parents before what is within them. */
export const parentsFirst: readonly PlainNoun[] = plain.toSorted(
  (a, b) => Number(a.within !== undefined) - Number(b.within !== undefined),
);
