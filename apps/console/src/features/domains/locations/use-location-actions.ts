/** The actions in the menu of a location. */
import { locations } from '@quarterdeck/contract';
import type { DomainView, LocationView } from '@quarterdeck/projections';
import { useNavigate } from 'react-router';
import { useChange } from '../../../core/calls';
import { paths } from '../../../core/paths';
import { confirmAction } from '../../../ui/confirm';
import { undoOf } from '../../../records/history';
import { toast } from '../../../ui/toast';
import type { DomainRuns } from '../use-domain-runs';

/** How long the logs are followed. */
const FOLLOWED_SECONDS = 60;

export const useLocationActions = (domain: DomainView, runs: DomainRuns) => {
  const navigate = useNavigate();
  const [read] = useChange(locations.logs);
  const [look] = useChange(locations.inspect);
  const [removeLocation] = useChange(locations.delete);

  /** Starts a run and opens its page, because the output is what the operator wants. */
  const watch = async (what: string, send: (runId: string) => Promise<{ runId: string }>): Promise<void> => {
    let started = '';
    const sent = await runs.start(what, async (asked) => {
      const { runId } = await send(asked);
      started = runId;
      return { runId };
    });
    if (sent) await navigate(paths.run(started));
  };

  const readLogs = ({ id, location }: LocationView) =>
    watch(`The logs of ${location} could not be read`, (runId) =>
      read({ id, seconds: FOLLOWED_SECONDS, runId }).unwrap(),
    );
  const inspect = ({ id, location }: LocationView) =>
    watch(`${location} could not be inspected`, (runId) => look({ id, runId }).unwrap());

  const remove = async ({ id, location }: LocationView): Promise<void> => {
    const sure = await confirmAction({
      title: `Delete ${location} of ${domain.serverName}?`,
      body: 'The server does not change until you apply the configuration again.',
      confirmLabel: 'Delete location',
      danger: true,
    });
    if (!sure) return;
    const gone = await runs.start(`${location} could not be deleted`, async () => {
      await removeLocation({ id }).unwrap();
      return {};
    });
    if (gone)
      toast.success(`${location} was deleted.`, undoOf({ category: 'domain', id: domain.id, location: id }));
  };

  return { readLogs, inspect, remove };
};
