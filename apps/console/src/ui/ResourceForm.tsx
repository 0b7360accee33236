/** The one form of the console: the schema of the call checks it, the call's messages stand under their fields. */
import { Alert, Button, Group } from '@mantine/core';
import { fieldMessages } from '@quarterdeck/events/inputs';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import type { z } from 'zod';
import { DisabledInPast } from '../core/past/in-past';
import { toApiError, type ApiError } from '../core/http';
import { CopyText } from './CopyText';
import { ConflictPanel } from './form/ConflictPanel';
import { FieldInput } from './form/FieldInput';
import type { Field } from './form/fields';
import { useLeaveGuard } from './form/use-leave-guard';
import {
  askedFor,
  differences,
  draftOf,
  notANumber,
  parseDraft,
  sameDraft,
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
  /** Default true. */
  dirtyGuard?: boolean;
  /** Names the form for those who do not see it. */
  label?: string;
  /** What stands in the form, at first and after every change. Keep it stable between renders. */
  onDraft?: (values: Values) => void;
  /** Whether something was typed that is not saved, at first and whenever that changes. Keep it stable between renders. */
  onTouched?: (touched: boolean) => void;
  /** What is said of the fields as they stand, from elsewhere than the schema. */
  remarks?: Readonly<Record<string, string>>;
}

export function ResourceForm<S extends z.ZodType>(props: ResourceFormProps<S>) {
  const { schema, fields: all, initial, onSubmit, submitLabel, onCancel, dirtyGuard = true, label } = props;
  const { onDraft, onTouched, remarks = noRemarks } = props;
  const start = useMemo(() => draftOf(all, initial), [all, initial]);
  const [base, setBase] = useState(start);
  const [draft, setDraft] = useState<Draft>(start);
  const fields = useMemo(() => askedFor(all, draft), [all, draft]);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef<Values>(undefined);
  const dirty = !sameDraft(draft, base);
  // While it is being sent, leaving is what comes after.
  useLeaveGuard(dirtyGuard && dirty && !busy);

  // A pushed change moves an untouched form along; a touched one keeps what was typed and meets a conflict when saved.
  useEffect(() => {
    if (sameDraft(start, base) || dirty) return;
    setBase(start);
    setDraft(start);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a pushed change counts: `base` and `dirty` must not start it
  }, [start]);

  // Before anything else can come by push: what it was typed upon is what it is saved upon.
  useLayoutEffect(() => {
    onTouched?.(dirty);
  }, [onTouched, dirty]);

  useEffect(() => {
    onDraft?.(parseDraft(fields, draft));
  }, [onDraft, fields, draft]);

  const focusFirst = (found: Record<string, string>): void => {
    const first = fields.find(({ name }) => found[name] !== undefined);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first.name)}"]`)?.focus();
  };

  const submit = async (written: Draft): Promise<void> => {
    const asked = askedFor(all, written);
    const checked = schema.safeParse(parseDraft(asked, written));
    const found = {
      ...(checked.success ? {} : fieldMessages(checked.error)),
      ...notANumber(asked, written),
    };
    setProblems(found);
    setRefused(undefined);
    if (!checked.success || Object.keys(found).length > 0) return focusFirst(found);
    setBusy(true);
    try {
      const sent = await onSubmit(
        checked.data,
        latest.current === undefined ? {} : { current: latest.current },
      );
      if (sent === false) return;
      latest.current = undefined;
      setBase(written);
    } catch (thrown) {
      const error = toApiError(thrown);
      setRefused(error);
      setProblems(error.data ?? {});
      focusFirst(error.data ?? {});
    } finally {
      setBusy(false);
    }
  };

  const onFormSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) void submit(draft);
  };
  const change = (name: string, value: string | boolean): void => {
    setDraft((before) => ({ ...before, [name]: value }));
    setProblems(({ [name]: _gone, ...others }) => others);
  };

  const current = refused?.status === 409 && isVersion(refused.current) ? refused.current : undefined;
  const unplaced = Object.entries(problems).filter(([name]) => !fields.some((field) => field.name === name));
  const touched = new Set(fields.map(({ name }) => name).filter((name) => draft[name] !== base[name]));

  return (
    <form ref={form} className={styles.form} onSubmit={onFormSubmit} aria-label={label} noValidate>
      {refused && !current && (unplaced.length > 0 || !namesFields(refused)) && (
        <Refusal error={refused} problems={unplaced} />
      )}
      {!refused && unplaced.length > 0 && (
        <Refusal error={{ status: 400, msg: 'Not accepted' }} problems={unplaced} />
      )}
      {current && (
        <ConflictPanel
          differences={differences(all, draft, current)}
          touched={touched}
          onResolve={(choice) => {
            latest.current = current;
            const resolved = { ...draft, ...choice };
            setDraft(resolved);
            void submit(resolved);
          }}
        />
      )}
      <div className={styles.fields}>
        {fields.map((field) => (
          <div key={field.name} className={styles.field} data-half={field.half || undefined}>
            <FieldInput
              field={field}
              value={draft[field.name] ?? ''}
              message={problems[field.name] ?? remarks[field.name]}
              onChange={(value) => change(field.name, value)}
            />
          </div>
        ))}
      </div>
      <Group gap="xs" mt="lg">
        <DisabledInPast>
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
        </DisabledInPast>
        {onCancel && (
          <Button variant="default" onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  );
}

const noRemarks: Readonly<Record<string, string>> = {};

/** Whether it is what the form edits, as it is now; a conflict may also tell of something else, such as a run under way. */
const isVersion = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && 'revision' in value;

const namesFields = ({ data }: ApiError): boolean => Object.keys(data ?? {}).length > 0;

function Refusal({ error, problems }: { error: ApiError; problems: [string, string][] }) {
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
          Nothing was saved. Correlation id <CopyText value={error.correlationId} />
        </span>
      )}
    </Alert>
  );
}
