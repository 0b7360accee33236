/** Forms to add and edit a record of a noun of the kit; fields and schema come from the noun. */
import type { PlainNoun } from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../../core/calls';
import { toApiError, type ApiError } from '../../../core/http';
import { useEditBase } from '../../../ui/EditInPlace';
import { PageHeader } from '../../../ui/PageHeader';
import { ResourceForm } from '../../../ui/ResourceForm';
import { toast } from '../../../ui/toast';
import { detailPath, inParent, valuesOf, type Parents, type Values } from '../record-fields';
import { useOrdered } from '../use-ordered';
import { anyCalls, wordsOf } from '../use-record';
import { initialOf, nextOf, sameValues } from './form-fields';
import { useFormFields } from './use-form-fields';

const named = ({ named: key, nameOf }: PlainNoun, values: Values): string =>
  nameOf?.(values) ?? String(values[key]);

export interface RecordAddProps {
  noun: PlainNoun;
  /** Path of the list; detail pages are below it. */
  base: string;
  /** Where a new record opens, below its detail page. */
  opensAt?: string | undefined;
  title?: string | undefined;
  /** Shown below the title. */
  note?: string | undefined;
  parents?: Parents | undefined;
  /** Shown above the form; can fill it in. */
  filling?: Filling | undefined;
  checking?: Checking | undefined;
}

/**
 * Rendered below a form to check its current values. `id` is that of the record being edited, if any. `follow` tells when
 * they change, and returns how to stop that.
 */
export type Checking = (
  draft: () => Values,
  id: string | undefined,
  follow: (changed: () => void) => () => void,
) => ReactNode;

export type Filling = (fill: (values: Values) => void) => ReactNode;

/** Holds the typed values for parts that check or fill a form. */
const useDraft = () => {
  const draft = useRef<Values>({});
  const followers = useRef(new Set<() => void>());
  const onDraft = useCallback((values: Values) => {
    draft.current = values;
    for (const changed of followers.current) changed();
  }, []);
  const read = useCallback(() => draft.current, []);
  const follow = useCallback((changed: () => void) => {
    const all = followers.current.add(changed);
    return () => void all.delete(changed);
  }, []);
  return { draft, onDraft, read, follow };
};

export const RecordAdd = (props: RecordAddProps) => {
  const { noun, base, opensAt, title, note, parents, filling, checking } = props;
  const { draft, onDraft, read, follow } = useDraft();
  const [filled, setFilled] = useState<Values>();
  const [added, setAdded] = useState<readonly Values[]>([]);
  const rows = useOrdered(noun, parents);
  const next = useMemo(() => nextOf(noun, [...rows, ...added]), [noun, rows, added]);
  const navigate = useNavigate();
  const [add] = useChange(anyCalls(noun).insert);
  const schema = useMemo(() => fieldsInput(noun), [noun]);
  const fields = useFormFields(noun, parents);
  const label = `Add ${wordsOf(noun).one}`;
  return (
    <>
      <PageHeader
        title={title ?? label}
        description={
          <>
            {note} <Link to={base}>Back to the list</Link>
          </>
        }
      />
      {filling?.((values) => setFilled({ ...draft.current, ...values }))}
      <ResourceForm
        // Remounts the form with the filled-in values; typed values are kept.
        key={JSON.stringify([added.length, filled])}
        label={label}
        schema={schema}
        fields={fields}
        initial={{ ...initialOf(noun), ...next, ...filled }}
        onDraft={onDraft}
        submitLabel={`Save ${wordsOf(noun).one}`}
        againLabel={noun.within === undefined ? undefined : 'Save and add another'}
        onCancel={() => void navigate(base)}
        onSubmit={async (data, { again }) => {
          const input = noun.flat ? data : { data, ...inParent(noun, parents) };
          const { id } = await add(input as { data: Values }).unwrap();
          toast.success(`${named(noun, data)} was saved.`);
          if (!again) return navigate(detailPath(base, id, opensAt));
          setFilled(undefined);
          setAdded([...added, data as Values]);
        }}
      />
      {checking?.(read, undefined, follow)}
    </>
  );
};

/** A record with its fields. */
type Edited = Values & { id: string; revision: number };

export interface RecordEditFormProps<V extends Edited = Edited> {
  noun: PlainNoun;
  view: V;
  /** Puts the fields into the current record of a conflict, if the call answers it in another form. */
  withFields?: (error: ApiError) => ApiError;
  parents?: Parents | undefined;
  /** Called after saving and on Cancel. Without it, the form stays open. */
  onDone?: () => void;
  checking?: Checking | undefined;
}

export const RecordEditForm = (props: RecordEditFormProps) => {
  const { noun, view, parents, onDone, checking, withFields = (error) => error } = props;
  const { onDraft, read, follow } = useDraft();
  const [update] = useChange(anyCalls(noun).update);
  const fields = useFormFields(noun, parents, view);
  const { opened, revision, adopt, touch } = useEditBase(view, (a, b) => sameValues(noun, a, b));
  const schema = useMemo(() => fieldsInput(noun, 'editForm', opened), [noun, opened]);
  const initial = useMemo(() => valuesOf(noun, opened), [noun, opened]);
  return (
    <>
      <ResourceForm
        label={`Edit ${wordsOf(noun).one}`}
        schema={schema}
        fields={fields}
        initial={initial}
        submitLabel="Save"
        {...(onDone && { onCancel: onDone })}
        onTouched={touch}
        onDraft={onDraft}
        onSubmit={async (data, { current }) => {
          try {
            await update({ id: view.id, data, revision: revision(current) }).unwrap();
          } catch (thrown) {
            throw withFields(toApiError(thrown));
          }
          adopt({ ...view, ...(data as Values) });
          toast.success(`${named(noun, data)} was saved.`);
          onDone?.();
        }}
      />
      {checking?.(read, view.id, follow)}
    </>
  );
};
