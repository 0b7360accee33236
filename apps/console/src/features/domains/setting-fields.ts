/** The form fields of settings, from their tables. */
import type { locationSettings, siteSettings } from '@quarterdeck/events';
import type { InputField } from '../../ui/form/fields';

type Table = typeof locationSettings | typeof siteSettings;
interface Setting {
  label: string;
  help: string;
  input: 'checkbox' | 'number' | 'select' | 'text';
  placeholder?: string;
  choices?: Readonly<Record<string, string>>;
}

export const settingField = <T extends Table>(
  table: T,
  name: keyof T & string,
  more: Partial<InputField> = {},
): InputField => {
  const { label, help, input, placeholder, choices } = table[name] as Setting;
  return {
    name,
    label,
    help,
    type: input,
    optional: true,
    ...(placeholder !== undefined && { placeholder }),
    ...(input === 'text' && { mono: true }),
    ...(choices && { options: Object.entries(choices).map(([value, words]) => ({ value, label: words })) }),
    ...more,
  };
};
