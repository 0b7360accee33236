/** Lays out fields, including lists and nested objects of further fields. */
import { Box, Group } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { get, useController, useFieldArray, useFormState, useWatch, type Control } from 'react-hook-form';
import styles from '../ResourceForm.module.css';
import { FieldInput } from './FieldInput';
import type { Field, GroupField, InputField, ListField } from './fields';
import { askedFor, draftOf, valueAt, type Draft } from './values';
import { sameValue } from '../same-value';
import { Action } from '../Action';
import { Disclosure } from '../Disclosure';
import { Note } from '../Note';

interface FormFieldsProps {
  fields: readonly Field[];
  control: Control;
  /** Messages that do not come from the schema, by dotted path. */
  remarks: Readonly<Record<string, string>>;
  /** Path of these fields in the form: `upstreams.0`. */
  path?: string;
  /** Values of these fields only. */
  draft: Draft;
  /** Removes the message at a dotted path. */
  onMended: (name: string) => void;
}

export const FormFields = ({ fields, draft, ...rest }: FormFieldsProps) => {
  const asked = askedFor(fields, draft);
  const rare = asked.filter((field) => field.rare);
  return (
    <>
      <Laid fields={asked.filter((field) => !field.rare)} {...rest} />
      {rare.length > 0 && <Rare fields={rare} draft={draft} {...rest} />}
    </>
  );
};

const Rare = ({ fields, draft, ...rest }: FormFieldsProps) => {
  const { control, remarks, path } = rest;
  const { errors } = useFormState({ control });
  const wrong = fields.some((field) => {
    const name = nameOf(field, path);
    return get(errors, name) !== undefined || remarks[name] !== undefined;
  });
  const isSet = fields.some(
    (field) => !sameValue(valueAt(draft, field.name), draftOf([field], undefined)[field.name]),
  );
  return (
    <Box mt={16}>
      <Disclosure title="More settings" startOpen={isSet} opens={wrong}>
        <Laid fields={fields} {...rest} />
      </Disclosure>
    </Box>
  );
};

const nameOf = ({ name }: Field, path: string | undefined): string =>
  path === undefined ? name : `${path}.${name}`;

const Laid = ({ fields, path, ...rest }: Omit<FormFieldsProps, 'draft'>) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <div key={field.name} className={styles.field} data-half={('half' in field && field.half) || undefined}>
        <OneField field={field} name={nameOf(field, path)} {...rest} />
      </div>
    ))}
  </div>
);

type FieldProps<F> = Omit<FormFieldsProps, 'fields' | 'draft' | 'path'> & { field: F; name: string };

const OneField = ({ field, ...rest }: FieldProps<Field>) => {
  switch (field.type) {
    case 'group':
      return <Nested field={field} {...rest} />;
    case 'list':
      return <List field={field} {...rest} />;
    default:
      return <Input field={field} {...rest} />;
  }
};

const Input = ({ field, name, control, remarks, onMended }: FieldProps<InputField>) => {
  const { field: input, fieldState } = useController({ control, name });
  return (
    <FieldInput
      field={field}
      name={name}
      value={(input.value as string | boolean | undefined) ?? ''}
      message={fieldState.error?.message ?? remarks[name]}
      onChange={(value) => {
        input.onChange(value);
        onMended(name);
      }}
    />
  );
};

const Nested = ({ field, name, ...rest }: FieldProps<GroupField>) => {
  const draft = useWatch({ control: rest.control, name }) as Draft | undefined;
  return (
    <fieldset className={styles.nested} name={name} tabIndex={-1}>
      <legend>{field.label}</legend>
      {field.help && (
        <Note mb={12} fz={12}>
          {field.help}
        </Note>
      )}
      <Message name={name} control={rest.control} />
      <FormFields fields={field.fields} path={name} draft={draft ?? {}} {...rest} />
    </fieldset>
  );
};

const List = ({ field, name, ...rest }: FieldProps<ListField>) => {
  const { control, onMended } = rest;
  const { fields: rows, append, remove } = useFieldArray({ control, name });
  const drafts = useWatch({ control, name }) as readonly Draft[] | undefined;
  return (
    <fieldset className={styles.nested} name={name} tabIndex={-1}>
      <legend>{field.label}</legend>
      {field.help && (
        <Note mb={12} fz={12}>
          {field.help}
        </Note>
      )}
      <Message name={name} control={control} />
      {rows.map(({ id }, at) => (
        <section key={id} className={styles.row} aria-label={`${field.row} ${at + 1}`}>
          <FormFields
            fields={field.fields}
            path={`${name}.${at}`}
            draft={drafts?.[at] ?? draftOf(field.fields, undefined)}
            {...rest}
          />
          <Action
            icon={IconTrash}
            variant="subtle"
            color="red"
            aria-label={`Remove ${field.row.toLowerCase()} ${at + 1}`}
            does={() => {
              remove(at);
              // The rows below moved up, so their messages would be under the wrong rows.
              onMended(name);
            }}
          >
            Remove
          </Action>
        </section>
      ))}
      <Group>
        <Action
          icon={IconPlus}
          variant="default"
          does={() => {
            append(draftOf(field.fields, undefined));
            if (rows.length === 0) onMended(name);
          }}
        >
          Add {field.row.toLowerCase()}
        </Action>
      </Group>
    </fieldset>
  );
};

/** Message about a list or nested object as a whole, such as "at least one". */
const Message = ({ name, control }: { name: string; control: Control }) => {
  const { errors } = useFormState({ control, name });
  const message = (get(errors, name) as { message?: unknown } | undefined)?.message;
  return typeof message === 'string' ? (
    <Box component="p" m="0 0 12px" c="error" fz={12} role="alert">
      {message}
    </Box>
  ) : null;
};
