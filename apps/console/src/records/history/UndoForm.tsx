/** The preview of an undo, fields for secrets that have to be supplied again, and the button. */
import { Alert } from '@mantine/core';
import { object, serverKey, text } from '@quarterdeck/events/inputs';
import type { HistoryView, UndoNeed, UndoPreview } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { toApiError } from '../../core/http';
import { useActorName } from '../actor';
import type { Field } from '../../ui/form/fields';
import { keyFields } from '../../ui/form/key-fields';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { saysOf, subjectPath } from './event-words';
import { useUndoMutation, type Left, type UndoGiven } from './undo.endpoints';
import { askUndo } from './undoing';
import { UndoSteps } from './UndoSteps';
import { Note } from '../../ui/Note';
import { Bullets } from '../../ui/List';

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

export const UndoForm = ({ event, preview: first }: UndoFormProps) => {
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
