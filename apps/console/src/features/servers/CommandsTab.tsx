/** The ten fixed commands. Which run is shown stands in the address: start it, leave, come back, share it. */
import { Badge, Button, Group } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError, type ApiError } from '../../core/http';
import { changing, looking, type Command } from '../../records/commands';
import { confirmAction } from '../../ui/confirm';
import { newRunId } from '../../records/runs';
import { CommandRun } from './CommandRun';
import classes from './servers.module.css';

export const CommandsTab = ({ server }: { server: ServerView }) => {
  const [params, setParams] = useSearchParams();
  const shown = params.get('run') ?? undefined;
  const [runCommand] = useChange(servers.execCmd);
  const [asked, setAsked] = useState<{ run: string; answered?: true; error?: ApiError }>();
  const show = (run: string | undefined) =>
    setParams(run ? { tab: 'commands', run } : { tab: 'commands' }, { preventScrollReset: true });

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
    // Chosen here, so that the first byte of output is already watched.
    const run = newRunId();
    setAsked({ run });
    show(run);
    const { error } = await runCommand({ id: server.id, cmdType: command.cmdType, runId: run });
    setAsked((latest) =>
      latest?.run === run ? { run, answered: true, ...(error && { error: toApiError(error) }) } : latest,
    );
  };

  if (shown) {
    return (
      <div>
        <Group mb="sm">
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconArrowLeft size={15} aria-hidden />}
            onClick={() => show(undefined)}
          >
            Back
          </Button>
        </Group>
        <CommandRun
          key={shown}
          run={shown}
          server={server.id}
          alias={server.alias}
          asking={asked?.run === shown && !asked.answered}
          refused={asked?.run === shown ? asked.error : undefined}
        />
      </div>
    );
  }
  return (
    <div className={classes.commands}>
      <CommandGroup title="Look" commands={looking} onStart={(command) => void start(command)} />
      <CommandGroup
        title="Change"
        note="asks first"
        commands={changing}
        onStart={(command) => void start(command)}
      />
    </div>
  );
};

interface CommandGroupProps {
  title: string;
  note?: string;
  commands: readonly Command[];
  onStart: (command: Command) => void;
}

const CommandGroup = ({ title, note, commands, onStart }: CommandGroupProps) => (
  <section aria-label={title}>
    <h2 className={classes.groupTitle}>
      {title}{' '}
      {note && (
        <Badge variant="default" size="sm">
          {note}
        </Badge>
      )}
    </h2>
    <div className={classes.buttons}>
      {commands.map((command) => {
        const Icon = command.icon;
        return (
          <DisabledInPast key={command.cmdType}>
            <button
              type="button"
              className={classes.command}
              data-changes={command.warning ? true : undefined}
              onClick={() => onStart(command)}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
              <span>
                <strong>{command.label}</strong>
                <span className={classes.tells}>{command.tells}</span>
              </span>
            </button>
          </DisabledInPast>
        );
      })}
    </div>
  </section>
);
