/** The outcome of an import, and its undo. */
import { Box, Group } from '@mantine/core';
import { texts, type Answer } from '@quarterdeck/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { useSession } from '../../core/session';
import { ActionFailure, RunNotice } from '../../records/runs';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { Disclosure } from '../../ui/Disclosure';
import { Lines } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { wordsOf } from './text-words';

interface ImportedProps {
  /** Id of the run. */
  run: string;
  base: string;
  isCms: boolean;
}

/** Members see no runs, so nothing tells their page of the end of this one. */
const LOOK_MS = 2000;

export const Imported = ({ run, base, isCms }: ImportedProps) => {
  const { can } = useSession();
  const [undo] = useChange(texts.undoImport);
  const [undoing, setUndoing] = useState<string>();
  const { act, busy, failure, dismiss } = useAction();
  const words = wordsOf(isCms);
  const shown = undoing ?? run;
  const [ended, setEnded] = useState<string>();
  const isOpen = ended !== shown;
  const query = useAnswer(
    texts.importDetail,
    { run: shown },
    { pollingInterval: isOpen ? LOOK_MS : 0, skipPollingIfUnfocused: true },
  );
  const state = query.currentData?.state ?? 'open';
  if (isOpen && state !== 'open') setEnded(shown);
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
      <RunNotice
        run={shown}
        state={state}
        title={`The ${undoing === undefined ? 'import' : 'undo of the import'} has ${isOpen ? 'started' : 'ended'}`}
        isLinked={can('admin')}
      >
        <DataView query={query} what="The import">
          {(outcome) => <Outcome {...outcome} />}
        </DataView>
      </RunNotice>
      <Group gap={8}>
        {undoing === undefined && (
          <Action
            icon={IconArrowBackUp}
            variant="default"
            loading={busy}
            disabled={isOpen}
            title={isOpen ? 'Possible as soon as it has ended' : undefined}
            does={takeBack}
          >
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

const Outcome = ({ state, reason, keys, left = 0, leftAsIs }: Answer<typeof texts.importDetail>) => (
  <>
    {reason !== undefined && (
      <Box className={look.wrap} mt={8}>
        {reason}
      </Box>
    )}
    {keys !== undefined && (
      <Box mt={8}>
        {state === 'succeeded' && left === 0
          ? `${count(keys, 'key')} changed.`
          : `It was to change ${count(keys, 'key')}.`}
      </Box>
    )}
    {left > 0 && (
      <Disclosure title={`Changed by somebody since, so left as they are: ${left.toLocaleString('en')}`}>
        <Lines>
          {leftAsIs.map((text) => (
            <Box component="li" key={text} p="6px 12px" className={look.mono}>
              {text}
            </Box>
          ))}
        </Lines>
        {leftAsIs.length < left && (
          <Note below>And {(left - leftAsIs.length).toLocaleString('en')} more.</Note>
        )}
      </Disclosure>
    )}
  </>
);
