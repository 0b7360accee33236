/** The one form of the console: the schema of the call checks it, the call's messages stand under their fields. */
import { Alert, Button, Group } from '@mantine/core';
import { fieldMessages } from '@quarterdeck/events/inputs';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { set, useForm, useWatch, type FieldErrors, type Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { toApiError, type ApiError } from '../core/http';
import { DisabledInPast } from '../core/past/in-past';
import { CopyText } from './CopyText';
import { ConflictPanel } from './form/ConflictPanel';
import type { Field } from './form/fields';
import { FormFields } from './form/FormFields';
import { useLeaveGuard } from './form/use-leave-guard';
import {
  differences,
  draftOf,
  hasField,
  notANumber,
  parseDraft,
  sameValue,
  valueAt,
  type Draft,
  type Values,
} from './form/values';
import styles from './ResourceForm.module.css';

export type { Field } from './form/fields';

export interface ResourceFormProps<S extends z.ZodType> {
  schema: S;
  fields: readonly Field[];
  initial?: Values;
  /**
   * Throws an `ApiError` (what `.unwrap()` throws) when the server refuses. After a conflict was resolved, `current` is
   * the version it was resolved against: send its revision. `false`: thought better of it, and nothing was sent.
   */
  onSubmit: (values: z.output<S>, context: { current?: Values }) => Promise<void | false>;
  submitLabel: string;
  onCancel?: () => void;
  /** What a refusal leaves behind; default: nothing was saved. */
  afterRefusal?: (error: ApiError) => string;
  /** Default true. */
  dirtyGuard?: boolean;
  /** Names the form for those who do not see it. */
  label?: string;
  /** The values of the form, at first and after every change. Keep it stable between renders. */
  onDraft?: (values: Values) => void;
  /** Whether something was typed that is not saved, at first and whenever that changes. Keep it stable between renders. */
  onTouched?: (touched: boolean) => void;
  /** What is said of the fields as they stand, from elsewhere than the schema. */
  remarks?: Readonly<Record<string, string>>;
}

export function ResourceForm<S extends z.ZodType>(props: ResourceFormProps<S>) {
  const { schema, fields, initial, onSubmit, submitLabel, onCancel, dirtyGuard = true, label } = props;
  const { afterRefusal = nothingSaved } = props;
  const { onDraft, onTouched, remarks = noRemarks } = props;
  const start = useMemo(() => draftOf(fields, initial), [fields, initial]);
  const [base, setBase] = useState(start);
  const { control, handleSubmit, reset, setError, clearErrors, getValues, formState } = useForm({
    defaultValues: start,
    resolver: resolverOf(schema, fields),
    // A message goes when its field is changed, and the next one comes when it is sent again.
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
  });
  const draft: Draft = useWatch({ control });
  const busy = formState.isSubmitting;
  const [refused, setRefused] = useState<ApiError>();
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef<Values>(undefined);
  const followed = useRef(start);
  const dirty = !sameValue(draft, base);
  // While it is being sent, leaving is what comes after.
  useLeaveGuard(dirtyGuard && dirty && !busy);

  // A pushed change moves an untouched form along. A touched one keeps what was typed and meets a conflict when saved,
  // or follows once what was typed is taken back.
  useEffect(() => {
    if (dirty || sameValue(start, followed.current)) return;
    followed.current = start;
    setBase(start);
    reset(start);
  }, [start, dirty, reset]);

  // Before anything else can come by push: what it was typed upon is what it is saved upon.
  useLayoutEffect(() => {
    onTouched?.(dirty);
  }, [onTouched, dirty]);

  useEffect(() => {
    onDraft?.(parseDraft(fields, draft));
  }, [onDraft, fields, draft]);

  const newest = useRef(start);
  useEffect(() => {
    newest.current = start;
  });

  const focusFirst = (found: Record<string, string>): void => {
    const inputs = form.current?.querySelectorAll<HTMLElement>('[name]') ?? [];
    [...inputs].find((input) => Object.hasOwn(found, input.getAttribute('name') ?? ''))?.focus();
  };

  const save = async (values: z.output<S>): Promise<void> => {
    const written = structuredClone(getValues()) as Draft;
    try {
      const sent = await onSubmit(values, latest.current === undefined ? {} : { current: latest.current });
      if (sent === false) return;
      latest.current = undefined;
      followed.current = newest.current;
      setBase(written);
    } catch (thrown) {
      const error = toApiError(thrown);
      setRefused(error);
      for (const [name, message] of Object.entries(error.data ?? {}))
        setError(name || WHOLE, { type: 'server', message });
      focusFirst(error.data ?? {});
    }
  };
  const submit = (): Promise<void> => {
    setRefused(undefined);
    return handleSubmit(
      (values) => save(values as z.output<S>),
      (errors) => focusFirst(messagesIn(errors)),
    )();
  };
  const onFormSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // A conflict is resolved first, with the one button that saves.
    if (!busy && !current) void submit();
  };

  const current = refused?.status === 409 && isVersion(refused.current) ? refused.current : undefined;
  const unplaced = Object.entries(messagesIn(formState.errors)).filter(
    ([name]) => !hasField(fields, draft, name),
  );
  const touched = new Set(
    fields.map(({ name }) => name).filter((name) => !sameValue(valueAt(draft, name), valueAt(base, name))),
  );

  return (
    <form ref={form} className={styles.form} onSubmit={onFormSubmit} aria-label={label} noValidate>
      {refused && !current && (unplaced.length > 0 || !namesFields(refused)) && (
        <Refusal error={refused} problems={unplaced} after={afterRefusal(refused)} />
      )}
      {!refused && unplaced.length > 0 && (
        <Refusal error={{ status: 400, msg: 'Not accepted' }} problems={unplaced} after={nothingSaved()} />
      )}
      {current && (
        <ConflictPanel
          current={current}
          differences={differences(fields, draft, current)}
          touched={touched}
          onResolve={(choice) => {
            latest.current = current;
            const resolved = structuredClone(draft);
            for (const [name, value] of Object.entries(choice)) set(resolved, name, value);
            reset(resolved, { keepDefaultValues: true });
            void submit();
          }}
        />
      )}
      <FormFields fields={fields} control={control} remarks={remarks} draft={draft} onMended={clearErrors} />
      <Group gap="xs" mt="lg">
        {!current && (
          <DisabledInPast>
            <Button type="submit" loading={busy}>
              {submitLabel}
            </Button>
          </DisabledInPast>
        )}
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  );
}

/** For what is wrong with the input as a whole: the form library knows messages by name only. */
const WHOLE = '$whole';

/** The schema of the call says what is wrong, in the words and under the paths that the server uses too. */
const resolverOf =
  (schema: z.ZodType, fields: readonly Field[]): Resolver =>
  (draft: Draft) => {
    const checked = schema.safeParse(parseDraft(fields, draft));
    const found = {
      ...(checked.success ? {} : fieldMessages(checked.error)),
      ...notANumber(fields, draft),
    };
    if (checked.success && Object.keys(found).length === 0)
      return { values: checked.data as Values, errors: {} };
    const errors: FieldErrors = {};
    for (const [name, message] of Object.entries(found))
      set(errors, name || WHOLE, { type: 'schema', message });
    return { values: {}, errors };
  };

/** The messages by dotted path. */
const messagesIn = (errors: object, path = ''): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, error] of Object.entries(errors) as [string, unknown][]) {
    if (typeof error !== 'object' || error === null || name === 'ref') continue;
    const at = path + name;
    if ('message' in error && typeof error.message === 'string')
      found[at === WHOLE ? '' : at] = error.message;
    Object.assign(found, messagesIn(error, `${at}.`));
  }
  return found;
};

const noRemarks: Readonly<Record<string, string>> = {};

/** Whether it is what the form edits, as it is now; a conflict may also tell of something else, such as a run under way. */
const isVersion = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && 'revision' in value;

const nothingSaved = (): string => 'Nothing was saved.';

const namesFields = ({ data }: ApiError): boolean => Object.keys(data ?? {}).length > 0;

interface RefusalProps {
  error: ApiError;
  problems: [string, string][];
  after: string;
}

function Refusal({ error, problems, after }: RefusalProps) {
  return (
    <Alert color="red" variant="light" role="alert" mb="md" title={error.msg}>
      {problems.map(([name, message]) => (
        <div key={name}>
          {name === '' ? '' : `${name}: `}
          {message}
        </div>
      ))}
      {error.correlationId && (
        <span>
          {after} Correlation id <CopyText value={error.correlationId} />
        </span>
      )}
    </Alert>
  );
}
