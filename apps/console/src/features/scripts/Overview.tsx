/** The newest text of the script, shown and edited in place. */
import { script as noun } from '@quarterdeck/events';
import type { ScriptView } from '@quarterdeck/projections';
import { RecordEditForm } from '../../records/kit';
import { EditInPlace } from '../../ui/EditInPlace';
import { fieldsOf, newestOf, withFields } from './script-words';
import { ScriptText } from './ScriptText';

export const Overview = ({ script }: { script: ScriptView }) => {
  const { version, body } = newestOf(script);
  const view = { ...fieldsOf(script), id: script.id, revision: script.revision };
  return (
    <section aria-label="Text">
      <EditInPlace
        title={`Version ${version}`}
        view={<ScriptText body={body} label={`${script.name}, version ${version}`} />}
        form={(done) => <RecordEditForm noun={noun} view={view} onDone={done} withFields={withFields} />}
      />
    </section>
  );
};
