/** What tests that walk all calls need to know of plain nouns: nothing that the nouns do not say themselves. */
import { plainNouns, type Field, type PlainNoun } from '@quarterdeck/events';

/** All of them, without their types. */
export const plain: readonly PlainNoun[] = plainNouns;

/** What a required reference leads to, by category. */
type Targets = (category: string) => string | undefined;

const nowhere = '0193f0a0-0000-7000-8000-00000000dead';

const valueOf = (
  { kind, of = [], boxed, optional, when, to = '', form, since }: Field<unknown>,
  name: string,
  targets: Targets,
): unknown => {
  switch (kind) {
    case 'text':
      if (form) return since?.value;
      return optional ? '' : name;
    case 'paragraphs':
    case 'secret':
      return name;
    case 'integer':
      return 1;
    case 'flag':
      return true;
    case 'choice':
      return of[0];
    case 'enumeration':
      return boxed ? { id: 1 } : 1;
    case 'reference':
      return optional || when ? null : { id: targets(to) ?? nowhere };
    case 'order':
      return [];
  }
};

/** Fields that the noun's calls accept. */
export const valuesOf = (
  { fields }: PlainNoun,
  name: string,
  targets: Targets = () => undefined,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, valueOf(field, name, targets)]));

/** The input by which one says what a thing will belong to. */
export const parentOf = ({ within }: PlainNoun, id: string | undefined): object =>
  within === undefined ? {} : { [within]: { id } };

const depthOf = ({ within }: PlainNoun): number => {
  const parent = plain.find(({ category }) => category === within);
  return parent ? depthOf(parent) + 1 : 0;
};

/** Parents before what is within them. */
export const parentsFirst: readonly PlainNoun[] = plain.toSorted((a, b) => depthOf(a) - depthOf(b));
