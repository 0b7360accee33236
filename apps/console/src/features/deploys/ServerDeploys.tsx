/** The tab of a server: pull a package, and what was pulled. */
import { deploys } from '@quarterdeck/contract';
import type { ServerView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import { DeployLog } from './DeployLog';
import classes from './deploys.module.css';
import { packagesOf } from './packages';
import { PullCard } from './PullCard';

/** More are found in the log. */
const SHOWN = 8;

export const ServerDeploys = ({ server }: { server: ServerView }) => {
  const { data } = useAnswer(deploys.list, { filters: { server: { id: server.id } } });
  const packages = useMemo(() => packagesOf(data ?? []).slice(0, SHOWN), [data]);
  return (
    <div className={classes.deploys}>
      <PullCard server={server} packages={packages} />
      <DeployLog server={server.id} />
    </div>
  );
};
