/** The newest text of the script, shown and edited in place. */
import { scripts } from '@quarterdeck/contract';
import { scriptEdit } from '@quarterdeck/events/inputs';
import type { ScriptView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { fieldsOf, newestOf, sameFields, scriptFields, withFields } from './script-words';
import { ScriptText } from './ScriptText';

export const Overview = ({ script }: { script: ScriptView }) => {
  const { version, body } = newestOf(script);
  return (
    <section aria-label="Text">
      <EditInPlace
        title={`Version ${version}`}
        view={<ScriptText body={body} label={`${script.name}, version ${version}`} />}
        form={(done) => <EditForm script={script} onDone={done} />}
      />
    </section>
  );
};

const same = (a: ScriptView, b: ScriptView): boolean => sameFields(fieldsOf(a), fieldsOf(b));

const EditForm = ({ script, onDone }: { script: ScriptView; onDone: () => void }) => {
  const [update] = useChange(scripts.update);
  const { opened, revision, touch } = useEditBase(script, same);
  return (
    <ResourceForm
      label="Edit script"
      schema={scriptEdit}
      fields={scriptFields}
      initial={{ ...fieldsOf(opened) }}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        try {
          await update({ id: script.id, data, revision: revision(current) }).unwrap();
        } catch (thrown) {
          throw withFields(toApiError(thrown));
        }
        toast.success(`${data.name} was saved.`);
        onDone();
      }}
    />
  );
};
