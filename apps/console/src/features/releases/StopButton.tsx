/** Stops a serving release. If its server was removed, the stop is only recorded. */
import { Button } from '@mantine/core';
import { releases } from '@quarterdeck/contract';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { newRunId } from '../../records/runs';
import { confirmAction } from '../../ui/confirm';
import type { Release } from '../../records/verdicts';

interface StopButtonProps {
  release: Release;
  /** Called with `undefined` when a new attempt starts, to clear the last error. */
  onRefused: (error: ApiError | undefined) => void;
}

export const StopButton = ({ release, onRefused }: StopButtonProps) => {
  const navigate = useNavigate();
  const [stop, { isLoading }] = useChange(releases.stopRelease);
  const { service, server, client, serverRemoved: forget } = release;
  const what = `${release.package.version} of ${service.name} on ${server.name}`;
  const ask = () =>
    forget
      ? confirmAction({
          title: `Record ${what} as stopped?`,
          body: `${server.name} was removed from Quarterdeck. Nothing is done there.`,
          confirmLabel: 'Record as stopped',
          danger: true,
        })
      : confirmAction({
          title: `Stop ${what}?`,
          body: `${client ? '' : 'Its container, '}${client ? 'Its' : 'its'} proxy and its files are removed from ${server.name}. Sites that pass requests to it answer with an error until it is deployed again.`,
          confirmLabel: 'Stop',
          danger: true,
        });
  const carryOut = async (): Promise<void> => {
    if (!(await ask())) return;
    onRefused(undefined);
    const runId = newRunId();
    const { error } = await stop({ id: release.id, runId, ...(forget && { forget }) });
    if (error) onRefused(toApiError(error));
    else if (!forget) void navigate(paths.run(runId));
  };
  return (
    <DisabledInPast>
      <Button variant="subtle" color="red" loading={isLoading} onClick={() => void carryOut()}>
        {forget ? 'Record as stopped' : 'Stop'}
      </Button>
    </DisabledInPast>
  );
};
