/** Adding and editing a thing of a plain noun: the fields and the schema come from the noun. */
import type { PlainNoun } from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { formFieldsOf, nameIn, sameValues, valuesOf, type Values, type View } from './plain-fields';
import { anyCalls, wordsOf } from './use-plain';

const named = ({ named: key }: PlainNoun, values: Values): string => String(values[key]);

interface PlainAddProps {
  noun: PlainNoun;
  /** The address of the list. */
  list: string;
  /** The address of a detail. */
  detail: (id: string) => string;
  title?: string | undefined;
  /** The id of what it will belong to. */
  parent?: string | undefined;
}

export const PlainAdd = ({ noun, list, detail, title, parent }: PlainAddProps) => {
  const navigate = useNavigate();
  const [add] = useChange(anyCalls(noun).insert);
  const schema = useMemo(() => fieldsInput(noun), [noun]);
  const fields = useMemo(() => formFieldsOf(noun), [noun]);
  const label = `Add ${wordsOf(noun).one}`;
  return (
    <>
      <PageHeader title={title ?? label} description={<Link to={list}>Back to the list</Link>} />
      <ResourceForm
        label={label}
        schema={schema}
        fields={fields}
        submitLabel={`Save ${wordsOf(noun).one}`}
        onCancel={() => void navigate(list)}
        onSubmit={async (data) => {
          const input = { data, ...(noun.within === undefined ? {} : { [noun.within]: { id: parent } }) };
          const { id } = await add(input).unwrap();
          toast.success(`${named(noun, data)} was saved.`);
          await navigate(detail(id));
        }}
      />
    </>
  );
};

interface PlainEditFormProps {
  noun: PlainNoun;
  view: View;
  /** Called after saving and on Cancel. Without it the form stays open. */
  onDone?: () => void;
}

export const PlainEditForm = ({ noun, view, onDone }: PlainEditFormProps) => {
  const [update] = useChange(anyCalls(noun).update);
  const schema = useMemo(() => fieldsInput(noun), [noun]);
  const fields = useMemo(() => formFieldsOf(noun), [noun]);
  const { opened, revision, adopt, touch } = useEditBase(view, (a, b) => sameValues(noun, a, b));
  const initial = useMemo(() => valuesOf(noun, opened), [noun, opened]);
  return (
    <ResourceForm
      label={`Edit ${wordsOf(noun).one}`}
      schema={schema}
      fields={fields}
      initial={initial}
      submitLabel="Save"
      {...(onDone && { onCancel: onDone })}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        await update({ id: view.id, data, revision: revision(current) }).unwrap();
        adopt({ ...view, ...(data as Values) });
        toast.success(`${named(noun, data)} was saved.`);
        onDone?.();
      }}
    />
  );
};

/** The fields, seen or edited in the same place. */
export const PlainEdit = ({ noun, view, facts }: { noun: PlainNoun; view: View; facts: ReactNode }) => (
  <section aria-label={nameIn(noun, view)}>
    <EditInPlace
      title={wordsOf(noun).One}
      view={facts}
      form={(done) => <PlainEditForm noun={noun} view={view} onDone={done} />}
    />
  </section>
);
