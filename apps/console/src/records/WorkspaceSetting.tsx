/** One section of the workspace settings: shows the current values and edits them in place. */
import type { WorkspaceView } from '@quarterdeck/projections';
import { useMemo, type ComponentProps } from 'react';
import type { z } from 'zod';
import { EditInPlace, useEditBase } from '../ui/EditInPlace';
import { Facts } from '../ui/Facts';
import { conflictInForm } from '../ui/form/conflict';
import { type Values } from '../ui/form/values';
import { sameValue } from '../ui/same-value';
import { ResourceForm, type Field } from '../ui/ResourceForm';
import { toast } from '../ui/toast';

interface WorkspaceSettingProps<K extends keyof WorkspaceView, S extends z.ZodType> {
  workspace: WorkspaceView;
  part: K;
  title: string;
  /** Identifies the section in the URL. */
  name: string;
  note: string;
  facts: ComponentProps<typeof Facts>['facts'];
  schema: S;
  /** Must keep the same identity between renders. */
  fields: readonly Field[] | ((opened: WorkspaceView[K]) => readonly Field[]);
  /** Converts the section to form values; by default they are used unchanged. */
  inForm?: (opened: WorkspaceView[K]) => Values;
  /** `before` holds the current values. Resolves to `false` if the user cancelled and nothing was sent. */
  save: (values: z.output<S>, revision: number, before: Values) => Promise<unknown>;
  /** Text of the notice after saving. */
  saved: string;
}

export const WorkspaceSetting = <K extends keyof WorkspaceView, S extends z.ZodType>(
  props: WorkspaceSettingProps<K, S>,
) => {
  const { title, name, note, facts } = props;
  return (
    <EditInPlace
      title={title}
      name={name}
      note={note}
      view={<Facts label={title} facts={facts} />}
      form={(done) => <SettingForm {...props} onDone={done} />}
    />
  );
};

const asItIs = (part: unknown): Values => part as Values;

const SettingForm = <K extends keyof WorkspaceView, S extends z.ZodType>({
  workspace,
  part,
  title,
  schema,
  fields,
  inForm = asItIs,
  save,
  saved,
  onDone,
}: WorkspaceSettingProps<K, S> & { onDone: () => void }) => {
  const { opened, revision, touch } = useEditBase(workspace, (a, b) => sameValue(a[part], b[part]));
  const before = inForm(opened[part]);
  const asked = useMemo(
    () => (typeof fields === 'function' ? fields(opened[part]) : fields),
    [fields, opened, part],
  );
  return (
    <ResourceForm
      label={title}
      schema={schema}
      fields={asked}
      initial={before}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (values, { current }) => {
        try {
          if ((await save(values, revision(current), current ?? before)) === false) return false;
        } catch (refused) {
          throw conflictInForm(refused, inForm);
        }
        toast.success(saved);
        onDone();
        return undefined;
      }}
    />
  );
};
