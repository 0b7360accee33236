/** The ten fixed commands and the saved scripts. The URL holds the shown run, so it can be shared and reopened. */
import { Badge, Group } from '@mantine/core';
import { fleet, servers } from '@quarterdeck/contract';
import { IconArrowLeft } from '@tabler/icons-react';
import type { RunView, ServerView } from '@quarterdeck/projections';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { changing, looking, scriptQuestion, type Command } from '../../records/commands';
import { Action } from '../../ui/Action';
import { confirmAction } from '../../ui/confirm';
import { withParams } from '../../ui/params';
import { newRunId } from '../../records/runs';
import { CommandRun } from './CommandRun';
import { SavedScripts, type SavedScript } from './SavedScripts';
import { Stacked } from '../../ui/Columns';
import { Section } from '../../ui/Card';
import { CommandButton, CommandButtons } from './CommandButton';

/** The script of a run in the version that ran. */
const scriptOf = ({ script, name, version, changes }: RunView['input']): SavedScript | undefined =>
  typeof script === 'string' && typeof name === 'string' && typeof version === 'number'
    ? { id: script, name, version, changes: typeof changes === 'boolean' ? changes : undefined }
    : undefined;

const commandOf = (cmdType: unknown): Command | undefined =>
  [...looking, ...changing].find((command) => command.cmdType === cmdType);

export const CommandsTab = ({ server }: { server: ServerView }) => {
  const [params, setParams] = useSearchParams();
  const shown = params.get('run') ?? undefined;
  const [runCommand] = useChange(servers.execCmd);
  const [runScript] = useChange(fleet.start);
  const [asked, setAsked] = useState<{ run: string; answered?: true; error?: ApiError }>();
  const show = (run: string | undefined) =>
    setParams((latest) => withParams(latest, { tab: 'commands', run }), { preventScrollReset: true });

  /** A run that is not shown yet. Until it is, the buttons are still there, and a double click must start one run. */
  const starting = useRef<string>(undefined);
  useEffect(() => {
    if (shown === starting.current) starting.current = undefined;
  }, [shown]);
  const ask = async (call: (run: string) => PromiseLike<{ error?: unknown }>) => {
    // The id is chosen here so that the output is watched from its first byte.
    if (starting.current !== undefined) return;
    const run = newRunId();
    starting.current = run;
    setAsked({ run });
    show(run);
    const { error } = await call(run);
    setAsked((latest) =>
      latest?.run === run
        ? { run, answered: true, ...(error !== undefined && { error: toApiError(error) }) }
        : latest,
    );
  };

  const start = async (command: Command) => {
    if (command.warning) {
      const sure = await confirmAction({
        title: `${command.label} on ${server.alias}?`,
        body: command.warning,
        confirmLabel: command.label,
        danger: true,
      });
      if (!sure) return;
    }
    await ask((runId) => runCommand({ id: server.id, cmdType: command.cmdType, runId }));
  };

  const startScript = async ({ id: script, name, version, changes }: SavedScript) => {
    const { body, danger } = scriptQuestion({ name, version, changes });
    const title = `${name} on ${server.alias}?`;
    if (!(await confirmAction({ title, body, danger, confirmLabel: 'Run script' }))) return;
    await ask((runId) => runScript({ script, version, servers: [server.id], runId }));
  };

  const again = (run: RunView) => {
    const command = commandOf(run.input.cmdType);
    const script = scriptOf(run.input);
    if (command) void start(command);
    else if (script) void startScript(script);
  };

  if (shown) {
    return (
      <div>
        <Group mb="sm">
          <Action icon={IconArrowLeft} variant="default" does={() => show(undefined)}>
            Back
          </Action>
        </Group>
        <CommandRun
          key={shown}
          run={shown}
          server={server.id}
          alias={server.alias}
          asking={asked?.run === shown && !asked.answered}
          refused={asked?.run === shown ? asked.error : undefined}
          onAgain={again}
        />
      </div>
    );
  }
  return (
    <Stacked gap={24}>
      <CommandGroup title="Read-only" commands={looking} onStart={(command) => void start(command)} />
      <CommandGroup
        title="Makes changes"
        note="Needs confirmation"
        commands={changing}
        onStart={(command) => void start(command)}
      />
      <SavedScripts onStart={(script) => void startScript(script)} />
    </Stacked>
  );
};

interface CommandGroupProps {
  title: string;
  note?: string;
  commands: readonly Command[];
  onStart: (command: Command) => void;
}

const CommandGroup = ({ title, note, commands, onStart }: CommandGroupProps) => (
  <Section
    aria-label={title}
    title={
      <>
        {title}{' '}
        {note && (
          <Badge variant="default" size="sm">
            {note}
          </Badge>
        )}
      </>
    }
  >
    <CommandButtons>
      {commands.map((command) => (
        <CommandButton
          key={command.cmdType}
          icon={command.icon}
          name={command.label}
          description={command.description}
          changes={command.warning !== undefined}
          onClick={() => onStart(command)}
        />
      ))}
    </CommandButtons>
  </Section>
);
