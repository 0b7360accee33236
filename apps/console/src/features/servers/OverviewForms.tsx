/** The forms of a server's overview: its details, and its private key. */
import { servers } from '@quarterdeck/contract';
import { DEFAULT_PORT, serverEdit, serverKey } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useChange } from '../../core/calls';
import { useEditBase } from '../../ui/EditInPlace';
import { keyFields } from '../../ui/form/key-fields';
import { undoOf } from '../../records/history';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { serverFields } from './server-fields';

/** Compares only the form's fields, because other changes, such as a pinned host key, also make a new revision. */
const sameFields = (a: ServerView, b: ServerView): boolean =>
  serverFields.every(({ name }) => a[name as keyof ServerView] === b[name as keyof ServerView]);

/** What a save of the form records. */
const EDITS = ['ServerRenamed', 'ServerMoved', 'ServerPathsChanged'] as const;

/** Otherwise nothing is recorded, and an undo would take back an earlier edit. */
const changed = (before: ServerView, sent: object): boolean =>
  Object.entries(sent).some(([name, value]) => value !== before[name as keyof ServerView]);

export const EditForm = ({ server, onDone }: { server: ServerView; onDone: () => void }) => {
  const [update] = useChange(servers.update);
  const { opened, revision, touch } = useEditBase(server, sameFields);
  return (
    <ResourceForm
      label="Edit server"
      schema={serverEdit}
      fields={serverFields}
      initial={{ ...opened }}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        const whole = { port: DEFAULT_PORT, ...data };
        await update({ id: server.id, data: whole, revision: revision(current) }).unwrap();
        const offer = undoOf({ category: 'server', id: server.id, types: EDITS });
        toast.success(`${data.alias} was saved.`, changed(opened, whole) ? offer : undefined);
        onDone();
      }}
    />
  );
};

interface KeyFormProps {
  server: ServerView;
  onDone: () => void;
  onCancel: () => void;
}

export const KeyForm = ({ server: { id, alias, key }, onDone, onCancel }: KeyFormProps) => {
  const [replace] = useChange(servers.replaceKey);
  const fields = useMemo(() => keyFields(key), [key]);
  return (
    <ResourceForm
      label="Replace private key"
      schema={serverKey}
      fields={fields}
      submitLabel="Replace private key"
      onCancel={onCancel}
      onSubmit={async (values) => {
        await replace({ id, ...values }).unwrap();
        toast.success(`The private key of ${alias} was replaced.`);
        onDone();
      }}
    />
  );
};
