/** The form of a command that needs input, in a dialog on the page of its record. */
import type { Change } from '@quarterdeck/contract';
import { commandLabel, type AnyCommand, type PlainNoun } from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { Modal } from '@mantine/core';
import { useMemo } from 'react';
import { useChange } from '../../../core/calls';
import { useEditBase } from '../../../ui/EditInPlace';
import { ResourceForm } from '../../../ui/ResourceForm';
import { toast } from '../../../ui/toast';
import { useOpenedOnceThere } from '../../../ui/use-opened-once-there';
import { anyCalls } from '../any-calls';
import { nameIn, valuesOf, type Parents, type Values } from '../record-fields';
import { initialOf, sameValues } from './form-fields';
import { useFormFields } from './use-form-fields';

/** A record as a command finds it. */
export type Commanded = Values & { id: string; revision: number };

interface CommandDialogProps {
  noun: PlainNoun;
  view: Commanded;
  /** Name of the command that is asked for. */
  name: string | undefined;
  parents: Parents | undefined;
  onClose: () => void;
}

export const CommandDialog = ({ name, onClose, ...rest }: CommandDialogProps) => {
  const command = name === undefined ? undefined : rest.noun.commands[name];
  return (
    <Modal
      opened={useOpenedOnceThere(command !== undefined)}
      onClose={onClose}
      title={
        name !== undefined && command && `${commandLabel(name, command)}: ${nameIn(rest.noun, rest.view)}`
      }
      size="lg"
    >
      {name !== undefined && command && (
        <CommandForm key={name} {...rest} name={name} command={command} onDone={onClose} />
      )}
    </Modal>
  );
};

interface CommandFormProps extends Omit<CommandDialogProps, 'name' | 'onClose'> {
  name: string;
  command: AnyCommand;
  onDone: () => void;
}

const CommandForm = ({ noun, view, parents, name, command, onDone }: CommandFormProps) => {
  const { takes, says } = command;
  const input = useMemo(() => ({ fields: takes }), [takes]);
  const [perform] = useChange(anyCalls(noun)[name] as Change<unknown>);
  const fields = useFormFields(input, parents);
  const schema = useMemo(() => fieldsInput(input), [input]);
  const { opened, revision, touch } = useEditBase(view, (a, b) => sameValues(input, a, b));
  const initial = useMemo(() => ({ ...initialOf(input), ...knownOf(input, opened) }), [input, opened]);
  const label = commandLabel(name, command);
  return (
    <ResourceForm
      label={label}
      schema={schema}
      fields={fields}
      initial={initial}
      submitLabel={label}
      onCancel={onDone}
      onTouched={touch}
      afterRefusal={() => 'Nothing was changed.'}
      onSubmit={async (data, { current }) => {
        await perform({ id: view.id, data, revision: revision(current) }).unwrap();
        toast.success(`${nameIn(noun, view)}: ${says(data)}.`);
        onDone();
      }}
    />
  );
};

/** The values that the record has under the names of the input: a command that moves it begins where it is. */
const knownOf = (input: Pick<PlainNoun, 'fields'>, view: Values): Values =>
  Object.fromEntries(Object.entries(valuesOf(input, view)).filter(([, value]) => value !== undefined));
