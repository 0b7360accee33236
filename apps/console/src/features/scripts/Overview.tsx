/** What the script says now, seen or edited in place. */
import { SegmentedControl } from '@mantine/core';
import { scriptEdit } from '@quarterdeck/events/inputs';
import type { ScriptView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { toApiError } from '../../app/http';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useUpdateScriptMutation } from './script.endpoints';
import { fieldsOf, newestOf, sameFields, scriptFields, withFields } from './script-words';
import { ScriptText } from './ScriptText';
import classes from './scripts.module.css';

export const Overview = ({ script }: { script: ScriptView }) => {
  const [params, setParams] = useSearchParams();
  const mode = params.get('mode') === 'edit' ? 'edit' : 'view';
  const setMode = (to: string) =>
    setParams(to === 'edit' ? { mode: 'edit' } : {}, { preventScrollReset: true });
  const { version, body } = newestOf(script);
  return (
    <section aria-label="Text">
      <div className={classes.head}>
        <h2>Version {version}</h2>
        <SegmentedControl
          aria-label="Mode"
          size="xs"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'view', label: 'View' },
            { value: 'edit', label: 'Edit' },
          ]}
        />
      </div>
      {mode === 'edit' ? (
        <EditForm script={script} onDone={() => setMode('view')} />
      ) : (
        <ScriptText body={body} label={`${script.name}, version ${version}`} />
      )}
    </section>
  );
};

const revisionOf = (current: unknown): number | undefined =>
  typeof current === 'object' && current !== null && 'revision' in current
    ? (current.revision as number)
    : undefined;

const EditForm = ({ script, onDone }: { script: ScriptView; onDone: () => void }) => {
  const [update] = useUpdateScriptMutation();
  // The version that the form opened with: what comes by push meanwhile is somebody else's change, not a newer base.
  const [opened] = useState(script);
  return (
    <ResourceForm
      label="Edit script"
      schema={scriptEdit}
      fields={scriptFields}
      initial={{ ...fieldsOf(opened) }}
      submitLabel="Save"
      onCancel={onDone}
      onSubmit={async (data, { current }) => {
        const base = sameFields(fieldsOf(opened), fieldsOf(script)) ? script : opened;
        const revision = revisionOf(current) ?? base.revision;
        try {
          await update({ id: script.id, data, revision }).unwrap();
        } catch (thrown) {
          throw withFields(toApiError(thrown));
        }
        toast.success(`${data.name} was saved.`);
        onDone();
      }}
    />
  );
};
