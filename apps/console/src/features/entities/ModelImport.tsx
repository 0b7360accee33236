/** An import into a data model while it runs, and what it did. */
import { Box, Group } from '@mantine/core';
import { runs, versions, type Answer } from '@quarterdeck/contract';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { ActionFailure, RunNotice } from '../../records/runs';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import look from '../../ui/look.module.css';
import { Meter } from '../../ui/Meter';
import { Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { WordsBox } from '../../ui/WordsBox';

type State = Answer<typeof versions.importDetail>;

/** Each batch of tables takes a moment, and no event says that it is recorded. */
const LOOK_MS = 1000;

/** @param run its id */
export const ModelImport = ({ run, base }: { run: string; base: string }) => {
  const [cancel] = useChange(runs.cancel);
  const { act, busy, failure, dismiss } = useAction();
  const [isOver, setOver] = useState(false);
  const query = useAnswer(
    versions.importDetail,
    { run },
    { pollingInterval: isOver ? 0 : LOOK_MS, skipPollingIfUnfocused: true },
  );
  const state = query.currentData?.state ?? 'open';
  if (isOver !== (state !== 'open')) setOver(!isOver);
  const stop = () =>
    act({
      ask: {
        title: 'Cancel the import?',
        body: 'Tables that are recorded stay in the model, each with all its attributes.',
        confirmLabel: 'Cancel the import',
        dismissLabel: 'Keep importing',
        danger: true,
      },
      send: () => cancel({ id: run }).unwrap(),
      failed: 'The import was not cancelled',
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <RunNotice
        run={run}
        state={state}
        title={state === 'open' ? 'The import is running' : 'The import has ended'}
      >
        <DataView query={query} what="The import">
          {(far) => <Progress {...far} />}
        </DataView>
      </RunNotice>
      <LeftOut left={query.currentData?.left ?? []} />
      <Group gap={8} my={16}>
        {state === 'open' && (
          <Action icon={IconPlayerStop} variant="default" loading={busy} does={stop}>
            Cancel import
          </Action>
        )}
        <Link to={base}>Show the entities</Link>
      </Group>
      <Note below>You can undo the whole import in the history of any of its parts.</Note>
    </>
  );
};

const Progress = ({ state, reason, tables, recorded = 0, edits }: State) => (
  <>
    {reason !== undefined && (
      <Box className={look.wrap} mt={8}>
        {reason}
      </Box>
    )}
    <Box mt={8}>
      {tables === undefined
        ? state === 'open' && 'Reading the tables.'
        : edits === undefined
          ? `${recorded.toLocaleString('en')} of ${count(tables, 'table')} recorded.`
          : `${count(recorded, 'entity', 'entities')} with ${count(edits - recorded, 'attribute')} added.`}
    </Box>
    {tables !== undefined && edits === undefined && (
      <Meter mt={8} parts={[{ tone: 'good', share: recorded / Math.max(1, tables) }]} />
    )}
  </>
);

/** What an import leaves out, in words. */
export const LeftOut = ({ left }: { left: readonly string[] }) => (
  <WordsBox
    title={`Not imported: ${left.length.toLocaleString('en')}`}
    words={left}
    tone="warn"
    label="Not imported"
  />
);
