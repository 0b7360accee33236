/** What was entered in a section, in words. */
import { sectionLabel } from '@quarterdeck/events';
import type { Choices } from '../../ui/choice';
import { noCloud } from './cloud-fields';
import { fieldsOf, repoFields, type Values } from './section-forms';

const fieldsIn = (section: string) => (section === 'repo' ? repoFields : fieldsOf(section, '', noCloud));

/** A field outside groups comes first: it has the name that a value has. */
const everyField = (section: string) => [
  ...fieldsIn(section),
  ...fieldsIn(section).flatMap((field) => (field.type === 'group' ? field.fields : [])),
];

export const fieldNames = (section: string): string[] => everyField(section).map(({ name }) => name);

/** Values as they are carried out: without a repository of its own, the client part is created from no template. */
export const applied = (section: string, values: Values): Values =>
  section === 'repository' && !values['repoFront']
    ? { ...values, fromTemplate: { ...(values['fromTemplate'] as object), client: false } }
    : values;

/** A field's name on the screen. */
export const fieldLabel = (section: string, path: string): string => {
  const [group = '', ...names] = path.split('.');
  const all = everyField(section);
  const of = all.find(({ name }) => name === group);
  const inside = of?.type === 'group' ? of.fields.find(({ name }) => name === names.join('.')) : undefined;
  return (inside ?? of)?.label ?? (path === 'version' ? 'Version' : sectionLabel(path));
};

/** Where the name of a chosen record comes from, if the field has one. */
export const choicesIn = (section: string, name: string): Choices | undefined => {
  const field = everyField(section).find((one) => one.name === name);
  return field?.type === 'reference' ? field.from : undefined;
};

/** A field's value in words. */
export const fieldText = (section: string, name: string, value: unknown): string => {
  const field = everyField(section).find((one) => one.name === name);
  const options = field && 'options' in field ? field.options : undefined;
  const option = options?.find((one) => one.value === value);
  if (option) return option.label;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('id' in value) return 'Existing';
  if (field?.type === 'group' && name === 'create')
    return field.fields
      .map((one) => (value as Values)[one.name])
      .filter((one) => typeof one === 'string')
      .join(', ');
  const chosen = Object.entries(value).flatMap(([key, one]) =>
    one === true ? [fieldLabel(section, key)] : [],
  );
  return chosen.length === 0 ? 'No' : chosen.join(', ');
};
