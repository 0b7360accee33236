/** One deploy of a service: what was deployed, and a comparison with another deploy, which the address names. */
import { Button } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { Link, useParams, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { ReleaseState, type Release } from '../../records/verdicts';
import { PageNotFound } from '../../ui/AreaRoutes';
import { DetailPage } from '../../ui/DetailPage';
import { useAction } from '../../ui/use-action';
import { CancelButton } from './CancelButton';
import { CompareWith } from './CompareWith';
import { DeployRecord } from './DeployRecord';
import { StopButton } from './StopButton';
import { canReturnTo, useServing } from './use-serving';

interface DeployPageProps {
  /** Address of the list. */
  base: string;
  service: { id: string; name: string };
}

export const DeployPage = ({ base, service }: DeployPageProps) => {
  const { id = '' } = useParams();
  const query = useAnswer(deploys.release, { id });
  return (
    <PageView query={query} what="Deploy" subject={{ category: 'release', id }}>
      {(release) =>
        release.service.id === service.id ? (
          <Detail key={id} base={base} release={release} />
        ) : (
          <PageNotFound />
        )
      }
    </PageView>
  );
};

const Detail = ({ base, release }: { base: string; release: Release }) => {
  const [search, setSearch] = useSearchParams();
  const { act, failure, dismiss } = useAction();
  const { id, service, server, env, date, by, run, serves, rollbackTo } = release;
  const { version } = release.package;
  const serving = useServing(service.id);
  const other = search.get('with') ?? '';
  const compareWith = (other: string): void =>
    setSearch(
      (now) => {
        now.delete('with');
        if (other !== '') now.set('with', other);
        return now;
      },
      { preventScrollReset: true },
    );
  return (
    <DetailPage
      back={{ to: base, label: `Deploys of ${service.name}` }}
      name={`${rollbackTo === undefined ? 'Deploy of' : 'Rollback to'} ${version}`}
      badge={<ReleaseState release={release} />}
      facts={[
        { label: 'Requested', value: <By id={by} at={date} /> },
        { label: 'Server', value: server.name },
        { label: 'Environment', value: <EnvBadge id={env.id} /> },
      ]}
      reading={<Link to={paths.run(id)}>Run and output</Link>}
      primary={
        serves ? (
          <StopButton release={release} act={act} />
        ) : run === 'requested' || run === 'running' ? (
          <CancelButton release={release} act={act} />
        ) : (
          // It opens the comparison first: a rollback is offered next to what it would change.
          canReturnTo(release, serving) &&
          other !== serving?.id && (
            <Button onClick={() => compareWith(serving?.id ?? '')}>Roll back to {version}</Button>
          )
        )
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <CompareWith release={release} other={other} onOther={compareWith} />
      <DeployRecord release={release} />
    </DetailPage>
  );
};
