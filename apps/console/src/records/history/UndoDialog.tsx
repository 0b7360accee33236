import { Alert, Box, Modal } from '@mantine/core';
import type { Difference, HistoryView, UndoNeed, UndoPreview, UndoStep } from '@quarterdeck/projections';
import { useActorName } from '../actor';
import { DataView } from '../../ui/DataView';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { saysOf, subjectPath } from './event-words';
import classes from './drawers.module.css';
import { type Left, type UndoGiven, useUndoMutation, useUndoPreviewQuery } from './undo.endpoints';
import { askUndo, type ToUndo, useEventToUndo } from './undoing';
import { object, serverKey, text } from '@quarterdeck/events/inputs';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { toApiError } from '../../core/http';
import type { Field } from '../../ui/form/fields';
import { keyFields } from '../../ui/form/key-fields';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';
import { Disclosure } from '../../ui/Disclosure';
import { ChangesTable } from './ChangesTable';

export default function UndoDialog({ toUndo, opened }: { toUndo: ToUndo; opened: boolean }) {
  const nameOf = useActorName();
  const query = useEventToUndo(toUndo);
  const event = query.data;
  return (
    <Modal
      opened={useOpenedOnceThere(opened)}
      onClose={() => askUndo(undefined)}
      title={event ? `Undo: ${saysOf(event, nameOf)}` : 'Undo'}
      classNames={{ title: classes.asked }}
      size="lg"
      zIndex={440}
    >
      <DataView query={query} what="Event">
        {(found) => <Looked key={found.position} event={found} />}
      </DataView>
    </Modal>
  );
}

const Looked = ({ event }: { event: HistoryView }) => (
  <DataView query={useUndoPreviewQuery(event.position, { refetchOnMountOrArgChange: true })} what="Preview">
    {(preview) => <UndoForm event={event} preview={preview} />}
  </DataView>
);

/** The preview of an undo, fields for secrets that have to be supplied again, and the button. */
const secretField: Field = {
  name: 'secret',
  label: 'Secret',
  type: 'secret',
  help: 'It is stored encrypted and never shown again.',
};

const fieldsOf = (key: boolean, secret: boolean): readonly Field[] => [
  ...(key ? keyFields() : []),
  ...(secret ? [secretField] : []),
];

const { privateKey, passphrase } = serverKey.shape;
const aSecret = text(4096);
const schemaOf = (key: boolean, secret: boolean) =>
  object({
    privateKey: key ? privateKey : privateKey.optional(),
    passphrase,
    secret: secret ? aSecret : aSecret.optional(),
  });

/** The same needs give the same fields, so typed values are kept. */
const useAsked = (needs: readonly UndoNeed[]) => {
  const [key, secret] = [needs.includes('privateKey'), needs.includes('secret')];
  return useMemo(() => ({ fields: fieldsOf(key, secret), schema: schemaOf(key, secret) }), [key, secret]);
};

const isPreview = (current: unknown): current is UndoPreview =>
  typeof current === 'object' && current !== null && 'seen' in current;

interface UndoFormProps {
  event: HistoryView;
  /** Initial preview; a conflict brings a newer one. */
  preview: UndoPreview;
}

const UndoForm = ({ event, preview: first }: UndoFormProps) => {
  const nameOf = useActorName();
  const [undo] = useUndoMutation();
  const [newer, setNewer] = useState<UndoPreview>();
  const [left, setLeft] = useState<readonly Left[]>([]);
  const { refused, undoes, removes, needs, steps, count, notes, seen } = newer ?? first;
  const verb = removes ? 'Remove' : 'Restore';
  const asked = useAsked(needs);

  const putBack = async (given: UndoGiven): Promise<void> => {
    let stayed: readonly Left[];
    try {
      ({ left: stayed } = await undo({ event, seen, ...given }).unwrap());
    } catch (thrown) {
      const { status, current } = toApiError(thrown);
      if (status !== 409 || !isPreview(current)) throw thrown;
      return setNewer(current);
    }
    const words = `Undone: ${saysOf(event, nameOf)}.`;
    const to = subjectPath(event);
    toast.success(to ? <Link to={to}>{words}</Link> : words);
    if (stayed.length > 0) setLeft(stayed);
    else askUndo(undefined);
  };

  if (left.length > 0) return <Except left={left} />;
  return (
    <>
      {newer && (
        <Alert role="alert" color="yellow" variant="light" mb="md" title="It has changed in the meantime">
          Nothing was changed.{refused === undefined && ' This is what would be done now.'}
        </Alert>
      )}
      {refused === undefined ? (
        <>
          <Note m="8px 0 0">
            The undo is recorded as a new event. Earlier events stay in the history.
            {undoes.length > 1 && ` One request did this: ${undoes.join(', ')}. All of it is undone.`}
          </Note>
          <UndoSteps steps={steps} count={count} />
          {notes.length > 0 && (
            <Bullets mt={16}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </Bullets>
          )}
          <ResourceForm
            label={verb}
            {...asked}
            submitLabel={verb}
            dirtyGuard={false}
            onCancel={() => askUndo(undefined)}
            onSubmit={putBack}
          />
        </>
      ) : (
        <Alert color="yellow" variant="light" title="It cannot be undone">
          {refused}
        </Alert>
      )}
    </>
  );
};

const Except = ({ left }: { left: readonly Left[] }) => (
  <Alert role="alert" color="yellow" variant="light" title="Undone, except for these">
    <Bullets mt={16}>
      {left.map(({ name, reason }) => (
        <li key={name}>
          {name}: {reason}
        </li>
      ))}
    </Bullets>
  </Alert>
);

/** What an undo would change: the subject field by field, then the other subjects by name, with fields on demand. */
const UndoSteps = ({ steps: [first, ...others], count }: Pick<UndoPreview, 'steps' | 'count'>) => (
  <>
    {first && (
      <Box component="section" aria-label={first.subject.name} mb={16}>
        <Box component="h3" m="24px 0 8px" fz={14} fw={600}>
          {first.subject.name}
        </Box>
        {first.refused === undefined ? <Would step={first} /> : <Stays why={first.refused} />}
      </Box>
    )}
    {others.map((step) => (
      <Along key={step.subject.id} step={step} />
    ))}
    {count > others.length + 1 && (
      <Note m="8px 0 0">and {(count - others.length - 1).toLocaleString('en')} more</Note>
    )}
  </>
);

const Along = ({ step }: { step: UndoStep }) => (
  <Disclosure
    title={step.subject.name}
    digest={step.refused === undefined ? step.says : <Stays why={step.refused} />}
  >
    {step.refused === undefined && <Changes changes={step.changes} />}
  </Disclosure>
);

const Would = ({ step: { says, changes } }: { step: UndoStep }) => (
  <>
    <Note m="8px 0 0">The history will say: {says}.</Note>
    <Changes changes={changes} />
  </>
);

const Changes = ({ changes }: { changes: readonly Difference[] }) => (
  <ChangesTable changes={changes} compared={changes.some(({ before }) => before !== undefined)} />
);

const Stays = ({ why }: { why: string }) => (
  <Box component="span" c="dimmed">
    is not changed: {why}
  </Box>
);
