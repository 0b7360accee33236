/** The deploys tab of a server: deploys a package, and lists the deploys. */
import { callsOf, packagePulls } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import { PullLog } from './PullLog';
import { packagesOf } from './packages';
import { PullCard } from './PullCard';
import { Stacked } from '../../ui/Columns';

/** Maximum number of packages offered; the log has the rest. */
const SHOWN = 8;

export const ServerPackagePulls = ({ server }: { server: ServerView }) => {
  const { data } = useAnswer(packagePulls.list, { filters: { server: { id: server.id } } });
  const services = useAnswer(callsOf(service).list, {}).data ?? [];
  // Deploys of services have no address to call again.
  const packages = useMemo(
    () => packagesOf(data?.filter(({ packageId }) => packageId === undefined) ?? []).slice(0, SHOWN),
    [data],
  );
  return (
    <Stacked gap={24}>
      <PullCard
        server={server}
        packages={packages}
        services={services.filter((one) => one.server?.id === server.id)}
      />
      <PullLog server={server.id} />
    </Stacked>
  );
};
