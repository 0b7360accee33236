/** The run of an import, and its undo. */
import { Alert, Group } from '@mantine/core';
import { runs, texts } from '@quarterdeck/contract';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { ActionFailure, isLive, RunState } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { wordsOf } from './text-words';

interface ImportedProps {
  /** Id of the run. */
  run: string;
  base: string;
  isCms: boolean;
}

export const Imported = ({ run, base, isCms }: ImportedProps) => {
  const { can } = useSession();
  const [undo] = useChange(texts.undoImport);
  const [undoing, setUndoing] = useState<string>();
  const { act, busy, failure, dismiss } = useAction();
  const words = wordsOf(isCms);
  const takeBack = () =>
    act({
      ask: {
        title: 'Undo the import?',
        body: 'Each text becomes what it was before the import. What somebody has changed again since stays as it is.',
        confirmLabel: 'Undo import',
        danger: true,
      },
      send: () => undo({ run }).unwrap(),
      done: ({ runId }) => setUndoing(runId),
      failed: 'The import was not undone',
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Alert
        role="status"
        variant="light"
        color={undoing === undefined ? 'green' : 'gray'}
        icon={<IconCheck size={18} aria-hidden />}
        title={undoing === undefined ? 'The import has started' : 'The undo of the import has started'}
        mb={16}
      >
        {/* Runs are for administrators; the list shows the changes to everybody as they come. */}
        {can('admin') ? (
          <RunOf key={undoing ?? run} id={undoing ?? run} />
        ) : (
          `The ${words.many} change as it goes on.`
        )}
      </Alert>
      <Group gap={8}>
        {undoing === undefined && (
          <Action icon={IconArrowBackUp} variant="default" loading={busy} does={takeBack}>
            Undo import
          </Action>
        )}
        <Link to={base}>Show the {words.many}</Link>
      </Group>
      <Note below>
        Everything that it changes can be undone at once here, or text by text in their histories.
      </Note>
    </>
  );
};

const RunOf = ({ id }: { id: string }) => {
  const query = useAnswer(runs.detail, { id });
  return (
    <DataView query={query} what="The run">
      {(run) => (
        <Group gap={8}>
          <RunState run={run} />
          <Link to={paths.run(id)}>{run.label}</Link>
          {isLive(run) && 'You can leave this page: the run goes on.'}
        </Group>
      )}
    </DataView>
  );
};
