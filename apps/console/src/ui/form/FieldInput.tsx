import { Box, Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { ChoiceInput, SeveralOptions, SeveralRows } from '../choice';
import { shownInInput, zoneInWords } from '../local-time';
import { RelativeTime } from '../RelativeTime';
import styles from '../ResourceForm.module.css';
import type { InputField } from './fields';
import { TextOrFile } from './TextOrFile';
import { Mono } from '../Note';

interface FieldInputProps {
  field: InputField;
  /** Dotted path of the field in the form. */
  name: string;
  value: string | boolean;
  message: string | undefined;
  /** In a table: stands for the label and the help, which are not shown. */
  accessibleName?: string;
  onChange: (value: string | boolean) => void;
}

/** One input, with its label above and its help and error message below. */
export function FieldInput({ field, name, value, message, accessibleName, onChange }: FieldInputProps) {
  const text = typeof value === 'string' ? value : '';
  const focus = field.autoFocus ? { autoFocus: true, 'data-autofocus': true } : {};
  const shared = {
    name,
    ...focus,
    error: message,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    ...(accessibleName === undefined
      ? { description: field.help, label: labelOf(field) }
      : { 'aria-label': accessibleName }),
  };
  const typed = {
    ...shared,
    value: text,
    placeholder: field.placeholder,
    autoComplete: field.autoComplete ?? 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    ...(field.mono && { classNames: { input: styles.mono } }),
  };
  switch (field.type) {
    case 'checkbox':
      return (
        <Checkbox
          {...focus}
          name={name}
          {...(accessibleName === undefined
            ? { label: field.label, description: field.help }
            : { 'aria-label': accessibleName })}
          error={message}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'select':
      return (
        <NativeSelect
          {...shared}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[
            { value: '', label: '' },
            ...(field.options ?? []).map((option) => ({ ...option, value: String(option.value) })),
          ]}
        />
      );
    case 'reference':
      return field.from && <ChoiceInput {...shared} from={field.from} value={text} onChange={onChange} />;
    case 'textarea':
      return field.maxFileBytes ? (
        <TextOrFile {...typed} rows={field.rows} maxBytes={field.maxFileBytes} onText={onChange} />
      ) : (
        <Textarea {...typed} rows={field.rows ?? 4} resize="vertical" />
      );
    case 'json':
      if (field.from) return <SeveralRows {...shared} from={field.from} value={text} onChange={onChange} />;
      if (field.options) {
        const words = field.options.map((option) => option.label);
        return <SeveralOptions {...shared} options={words} value={text} onChange={onChange} />;
      }
      return (
        <Textarea {...typed} classNames={{ input: styles.mono }} rows={field.rows ?? 8} resize="vertical" />
      );
    case 'secret':
      return <Secret field={field} typed={typed} onText={onChange} />;
    case 'number':
      return <TextInput {...typed} inputMode="numeric" />;
    case 'time':
      return (
        <TextInput
          {...typed}
          type="datetime-local"
          value={shownInInput(text, field.timeIn ?? Date.parse)}
          description={
            <>
              {field.help} Time zone: {zoneInWords()}.
            </>
          }
        />
      );
    case 'text':
      return <TextInput {...typed} />;
  }
}

const labelOf = ({ label, optional }: InputField) =>
  optional ? (
    <>
      {label}{' '}
      <Box component="span" c="dimmed" fw={400}>
        optional
      </Box>
    </>
  ) : (
    label
  );

/** Larger than any key. */
const MAX_KEY_BYTES = 64 * 1024;

/** Write-only input: a stored secret is shown by fingerprint and date. */
function Secret({
  field,
  typed,
  onText,
}: {
  field: InputField;
  typed: object;
  onText: (text: string) => void;
}) {
  const { stored, rows } = field;
  const description = (
    <>
      {stored && (
        <Box component="span" display="block">
          Set
          {stored.setAt && (
            <>
              {' '}
              <RelativeTime at={stored.setAt} />
            </>
          )}
          {stored.fingerprint && (
            <>
              , <Mono>{stored.fingerprint}</Mono>
            </>
          )}
          . A new value replaces it.{' '}
        </Box>
      )}
      {field.help}
    </>
  );
  const secret = {
    ...typed,
    autoComplete: 'off',
    'data-secret': true,
    ...((stored || field.help) && { description }),
  };
  return rows ? (
    <TextOrFile {...secret} rows={rows} maxBytes={MAX_KEY_BYTES} onText={onText} />
  ) : (
    <PasswordInput {...secret} autoComplete="new-password" />
  );
}
