/** Stops a serving release. If its server was removed, or is gone, the stop is only recorded. */
import { Button, Checkbox, Stack } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { newRunId } from '../../records/runs';
import type { ConfirmOptions } from '../../ui/confirm';
import type { Act } from '../../ui/use-action';
import type { Release } from '../../records/verdicts';
import { NOTHING_DONE } from './DeployQuestion';

interface StopButtonProps {
  release: Release;
  act: Act;
}

export const StopButton = ({ release, act }: StopButtonProps) => {
  const navigate = useNavigate();
  const [stop, { isLoading }] = useChange(deploys.stopRelease);
  const { service, server, client, serverRemoved } = release;
  const what = `${release.package.version} of ${service.name} on ${server.name}`;
  const questionOf = (choose: (forget: boolean) => void): ConfirmOptions =>
    serverRemoved
      ? {
          title: `Record ${what} as stopped?`,
          body: `${server.name} was removed from Quarterdeck. Nothing is done there.`,
          confirmLabel: 'Record as stopped',
          danger: true,
        }
      : {
          title: `Stop ${what}?`,
          body: (
            <Stack gap="sm">
              <span>
                {client ? 'Its' : 'Its container, its'} proxy and its files are removed from {server.name}.
                Sites that pass requests to it answer with an error until it is deployed again.
              </span>
              <Checkbox
                label={`${server.name} is gone for good: only record the stop`}
                description="Nothing is done on the server. If it comes back, what runs there goes on."
                onChange={(event) => choose(event.currentTarget.checked)}
              />
            </Stack>
          ),
          confirmLabel: 'Stop',
          danger: true,
        };
  const carryOut = async (): Promise<void> => {
    let forget = serverRemoved;
    const runId = newRunId();
    const stopped = await act({
      ask: questionOf((chosen) => (forget = chosen)),
      send: () => stop({ id: release.id, runId, ...(forget && { forget }) }).unwrap(),
      failed: NOTHING_DONE,
    });
    if (stopped && !forget) await navigate(paths.run(runId));
  };
  return (
    <DisabledInPast>
      <Button variant="subtle" color="red" loading={isLoading} onClick={() => void carryOut()}>
        {serverRemoved ? 'Record as stopped' : 'Stop'}
      </Button>
    </DisabledInPast>
  );
};
