/** Examples for the calls of nouns of the kit. Each kind of field knows a value. */
import { isWanted, type Field, type PlainNoun } from '@quarterdeck/events';
import { demo } from './demo';

/** Id of the record of a category that references point to. Default: that of `demo`. */
export type Targets = (category: string) => string | undefined;

const ofDemo: Targets = (category) => demo[category as keyof typeof demo];

/** @param before the values of the fields that are declared before it */
const valueOf = (
  field: Field<unknown>,
  name: string,
  targets: Targets,
  before: Readonly<Record<string, unknown>>,
): unknown => {
  const { kind, of = [], boxed, optional, when, to = '', thing = to, since, fields = {}, schema } = field;
  if (field.example !== undefined) return field.example;
  const isAccepted = (value: string): boolean => field.refuses?.(value, {}) === undefined;
  switch (kind) {
    case 'text':
      if (optional ?? when) return '';
      // A name in another form is as different from others.
      return isAccepted(name) ? name : (since?.value ?? name.toLowerCase().replaceAll(/[^\w]+/g, '-'));
    case 'paragraphs':
    case 'code':
      return name;
    case 'secret':
      return (optional ?? when) ? null : name;
    case 'integer':
      return Math.max(1, field.min ?? 1);
    case 'flag':
      return true;
    case 'choice':
      return of[0];
    case 'enumeration':
      return boxed ? { id: 1 } : 1;
    case 'reference':
      return optional || !isWanted(field, before) ? null : { id: targets(thing) ?? ofDemo(thing) };
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

/** Values of the fields. @param name the text of each field that takes one */
export const valuesOf = <V extends object>(
  { fields }: Pick<PlainNoun<string, V>, 'fields'>,
  name: string,
  targets: Targets = ofDemo,
): V => {
  const values: Record<string, unknown> = {};
  for (const [key, field] of Object.entries<Field<unknown>>(fields))
    values[key] = valueOf(field, name, targets, values);
  return values as V;
};

/** The parent of a new record, if the noun has one. */
export const parentOf = ({ within }: Pick<PlainNoun, 'within'>, targets: Targets = ofDemo): object =>
  within === undefined ? {} : { [within]: { id: targets(within) } };
