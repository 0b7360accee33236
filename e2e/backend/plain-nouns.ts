/** Inputs for calls of plain nouns, derived from the nouns' own fields, for tests that walk all calls. */
import { plainNouns, type Field, type PlainNoun } from '@quarterdeck/events';

/** All plain nouns, without their specific types. */
export const plain: readonly PlainNoun[] = plainNouns;

/** Id that a required reference to a category gets. */
type Targets = (category: string) => string | undefined;

const nowhere = '0193f0a0-0000-7000-8000-00000000dead';

const valueOf = (field: Field<unknown>, name: string, targets: Targets): unknown => {
  const { kind, of = [], boxed, optional, when, to = '', since, fields = {}, schema } = field;
  switch (kind) {
    case 'text':
      if (optional) return '';
      // A name in another form is as different from others.
      return field.refuses?.(name, {}) === undefined
        ? name
        : (since?.value ?? name.toLowerCase().replaceAll(/[^\w]+/g, '-'));
    case 'paragraphs':
    case 'code':
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
    case 'group':
      // Here every flag is true, and every enumeration 1.
      return optional || (when && when[1] !== true && when[1] !== 1)
        ? null
        : valuesOf({ fields }, name, targets);
    case 'json':
      return optional ? null : (schema?.['examples'] as readonly unknown[] | undefined)?.[0];
  }
};

/** Fields that the noun's calls accept. */
export const valuesOf = (
  { fields }: Pick<PlainNoun, 'fields'>,
  name: string,
  targets: Targets = () => undefined,
): Record<string, unknown> =>
  Object.fromEntries(
    // Any other text is no certificate.
    Object.entries(fields).map(([key, field]) => [
      key,
      key === 'certificate' ? '' : valueOf(field, name, targets),
    ]),
  );

/** Input that names the parent of a new entity. */
export const parentOf = ({ within }: PlainNoun, id: string | undefined): object =>
  within === undefined ? {} : { [within]: { id } };

const depthOf = ({ within }: PlainNoun): number => {
  const parent = plain.find(({ category }) => category === within);
  return parent ? depthOf(parent) + 1 : 0;
};

/** Parents come before their children. */
export const parentsFirst: readonly PlainNoun[] = plain.toSorted((a, b) => depthOf(a) - depthOf(b));
