/** The console's form component. The call's schema validates it, and the call's messages appear under their fields. */
import { Alert, Button, Group } from '@mantine/core';
import { fieldMessages } from '@quarterdeck/events/inputs';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { set, useForm, useWatch, type FieldErrors, type Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { toApiError, type ApiError } from '../core/http';
import { NO_CHANGES, useAsOf } from '../core/as-of/as-of-state';
import { DisabledInPast } from '../core/as-of/in-past';
import { CopyText } from './CopyText';
import { Holders } from './Holders';
import { ConflictPanel } from './form/ConflictPanel';
import { withFirstFocused, type Field } from './form/fields';
import { FormFields } from './form/FormFields';
import { useFocusKept } from './form/use-focus-kept';
import { useLeaveGuard } from './form/use-leave-guard';
import {
  conflictOf,
  draftOf,
  hasField,
  unreadable,
  parseDraft,
  type Draft,
  type Values,
} from './form/values';
import { sameValue } from './same-value';
import styles from './ResourceForm.module.css';

export type { Field } from './form/fields';

export interface ResourceFormProps<S extends z.ZodType> {
  schema: S;
  fields: readonly Field[];
  initial?: Values;
  /**
   * Throws an `ApiError` (as `.unwrap()` does) when the server refuses. After a conflict was resolved, `current` is the
   * version it was resolved against: send its revision. Returns `false` if the operator backed out and nothing was
   * sent.
   */
  onSubmit: (values: z.output<S>, context: Submitted) => Promise<void | false>;
  submitLabel: string;
  /** Label of a second button that submits, with `again`: the next form is wanted. */
  againLabel?: string | undefined;
  onCancel?: () => void;
  /** Beside the button that submits. */
  tools?: ReactNode;
  /** Whether the first field takes the focus when the form opens. Default: if it can be cancelled, as it was opened. */
  focusFirst?: boolean;
  /** Sentence about the state after a refusal; default: "Nothing was saved." */
  afterRefusal?: (error: ApiError) => string;
  /** Asks before leaving with unsaved changes. Default true. */
  dirtyGuard?: boolean;
  /** Accessible name of the form. */
  label?: string;
  /** Called with the form's values initially and after every change. Keep it stable between renders. */
  onDraft?: (values: Values) => void;
  /** Called with whether there are unsaved changes, initially and when that changes. Keep it stable between renders. */
  onTouched?: (touched: boolean) => void;
  /** Messages about the current values that do not come from the schema, by dotted path. */
  remarks?: Readonly<Record<string, string>>;
}

interface Submitted {
  current?: Values;
  again?: true;
}

export function ResourceForm<S extends z.ZodType>(props: ResourceFormProps<S>) {
  const { schema, fields, initial, onSubmit, submitLabel, onCancel, dirtyGuard = true, label } = props;
  const { afterRefusal = nothingSaved, againLabel } = props;
  const { onDraft, onTouched, remarks = noRemarks, focusFirst = onCancel !== undefined } = props;
  const shown = useMemo(() => (focusFirst ? withFirstFocused(fields) : fields), [focusFirst, fields]);
  const start = useMemo(() => draftOf(fields, initial), [fields, initial]);
  const [base, setBase] = useState(start);
  const { control, handleSubmit, reset, setError, clearErrors, getValues, formState } = useForm({
    defaultValues: start,
    resolver: resolverOf(schema, fields),
    // A field's message disappears when the field changes; it is checked again on the next submit.
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
  });
  const draft: Draft = useWatch({ control });
  const busy = formState.isSubmitting;
  const [refused, setRefused] = useState<ApiError>();
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef<Values>(undefined);
  const isAgain = useRef(false);
  const followed = useRef(start);
  const dirty = !sameValue(draft, base);
  // While submitting, a navigation is the result of the submit.
  useLeaveGuard(dirtyGuard && dirty && !busy);

  // An untouched form follows a pushed change. A touched one keeps its input and conflicts when saved, or follows once
  // the input is reverted.
  useEffect(() => {
    if (dirty || sameValue(start, followed.current)) return;
    followed.current = start;
    setBase(start);
    reset(start);
  }, [start, dirty, reset]);

  // A layout effect runs before the next push can arrive, so the input is saved against the version it was typed upon.
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

  // The first message's field, or else the refusal. An effect, since closed fields open and the refusal is drawn first.
  const [wrong, setWrong] = useState<Record<string, string>>();
  useEffect(() => {
    if (wrong === undefined) return;
    const inputs = [...(form.current?.querySelectorAll<HTMLElement>('[name]') ?? [])];
    const first = inputs.find((input) => Object.hasOwn(wrong, input.getAttribute('name') ?? ''));
    (first ?? form.current?.querySelector<HTMLElement>('[data-refusal]'))?.focus();
  }, [wrong]);
  useFocusKept(form, busy);
  const inPast = useAsOf() !== undefined;

  /** Many calls take what a form contains as `data`, and name its fields so. */
  const placeOf = (name: string): string => {
    const inside = name.replace(/^data\./, '');
    return hasField(fields, draft, inside) ? inside : name;
  };
  const save = async (values: z.output<S>): Promise<void> => {
    const written = structuredClone(getValues()) as Draft;
    try {
      const sent = await onSubmit(values, {
        ...(latest.current !== undefined && { current: latest.current }),
        ...(isAgain.current && { again: true }),
      });
      if (sent === false) return;
      latest.current = undefined;
      followed.current = newest.current;
      setBase(written);
    } catch (thrown) {
      const error = toApiError(thrown);
      setRefused(error);
      const found = Object.fromEntries(
        Object.entries(error.data ?? {}).map(([name, message]) => [placeOf(name), message]),
      );
      for (const [name, message] of Object.entries(found))
        setError(name || WHOLE, { type: 'server', message });
      setWrong(found);
    }
  };
  const submit = (): Promise<void> => {
    setRefused(undefined);
    return handleSubmit(
      (values) => save(values as z.output<S>),
      (errors) => setWrong(messagesIn(errors)),
    )();
  };
  const onFormSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // During a conflict, only the button of the conflict panel saves.
    if (busy || current) return;
    isAgain.current = (event.nativeEvent as SubmitEvent).submitter?.dataset.again !== undefined;
    void submit();
  };

  const current = refused?.status === 409 && isVersion(refused.current) ? refused.current : undefined;
  const unplaced = Object.entries(messagesIn(formState.errors)).filter(
    ([name]) => !hasField(fields, draft, name),
  );

  return (
    <form ref={form} className={styles.form} onSubmit={onFormSubmit} aria-label={label} noValidate>
      {inPast && (
        <Alert color="yellow" variant="light" p="8px 12px" mb={16}>
          {NO_CHANGES}
        </Alert>
      )}
      <FormFields fields={shown} control={control} remarks={remarks} draft={draft} onMended={clearErrors} />
      {refused && !current && (unplaced.length > 0 || !namesFields(refused)) && (
        <Refusal error={refused} problems={unplaced} after={afterRefusal(refused)} />
      )}
      {!refused && unplaced.length > 0 && (
        <Refusal error={{ status: 400, msg: 'Not accepted' }} problems={unplaced} after={nothingSaved()} />
      )}
      {current && (
        <ConflictPanel
          current={current}
          conflict={conflictOf(fields, { draft, base, current })}
          onResolve={(choice) => {
            latest.current = current;
            const resolved = structuredClone(draft);
            for (const [name, value] of Object.entries(choice)) set(resolved, name, value);
            reset(resolved, { keepDefaultValues: true });
            void submit();
          }}
        />
      )}
      <Group gap="xs" mt="lg">
        {!current && (
          <DisabledInPast>
            <Button type="submit" loading={busy}>
              {submitLabel}
            </Button>
          </DisabledInPast>
        )}
        {!current && againLabel !== undefined && (
          <DisabledInPast>
            <Button type="submit" variant="default" disabled={busy} data-again>
              {againLabel}
            </Button>
          </DisabledInPast>
        )}
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
        )}
        {props.tools}
      </Group>
    </form>
  );
}

/** Name for messages about the input as a whole, since the form library stores messages by name only. */
const WHOLE = '$whole';

/** Validates with the call's schema, which gives the same messages and paths as the server. */
const resolverOf =
  (schema: z.ZodType, fields: readonly Field[]): Resolver =>
  (draft: Draft) => {
    const checked = schema.safeParse(parseDraft(fields, draft));
    const found = {
      ...(checked.success ? {} : fieldMessages(checked.error)),
      ...unreadable(fields, draft, schema),
    };
    if (checked.success && Object.keys(found).length === 0)
      return { values: checked.data as Values, errors: {} };
    const errors: FieldErrors = {};
    for (const [name, message] of Object.entries(found))
      set(errors, name || WHOLE, { type: 'schema', message });
    return { values: {}, errors };
  };

/** Messages by dotted path. */
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

/** Whether `value` is the current version of the edited row. A conflict may return something else, such as a run. */
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
    <Alert color="red" variant="light" role="alert" mt="md" title={error.msg} tabIndex={-1} data-refusal>
      <Holders of={error.heldBy} />
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
