/** One deploy of a service: what was deployed, and a comparison with another deploy, which the address names. */
import { Button, Group } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { Link, useParams, useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { type Release, ReleaseState } from '../../records/verdicts';
import { PageNotFound } from '../../ui/AreaRoutes';
import { DetailPage } from '../../ui/DetailPage';
import { useAction } from '../../ui/use-action';
import { CancelButton } from './CancelButton';
import { DeployRecord } from './DeployRecord';
import { StopButton } from './StopButton';
import { canReturnTo, useServing } from './use-serving';
import { useMemo } from 'react';
import { ChoiceInput, choicesOf } from '../../ui/choice';
import { absoluteTime } from '../../ui/RelativeTime';
import { Comparison } from './Comparison';
import { RollBack } from './RollBack';
import { Section } from '../../ui/Card';

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

/** Compares a deploy with any other one of its service, and rolls back to it after its difference to what serves. */
interface CompareWithProps {
  release: Release;
  /** The id of the other deploy, or `''`. */
  other: string;
  onOther: (id: string) => void;
}

const CompareWith = ({ release, other, onOther }: CompareWithProps) => {
  const { id, service } = release;
  const serving = useServing(service.id);
  const others = useMemo(
    () =>
      choicesOf<Release>({
        page: deploys.releasePage,
        detail: deploys.release,
        sort: '-date',
        within: { service: { id: service.id } },
        labelOf: (row) => `${row.package.version}, ${absoluteTime(row.date)}`,
        one: 'deploy',
      }),
    [service.id],
  );
  const isServing = serving !== undefined && other === serving.id;
  return (
    <Section mt={24} aria-label="Comparison" title="Compare">
      <Group align="end" gap="xs" mb="md">
        <ChoiceInput
          label="Compare with"
          empty="Choose a deploy"
          from={others}
          value={other}
          onChange={onOther}
          without={id}
        />
        {serving && !isServing && serving.id !== id && (
          <Button variant="default" onClick={() => onOther(serving.id)}>
            Compare with what serves now
          </Button>
        )}
      </Group>
      {other !== '' && <Comparison from={other} to={release} />}
      {isServing && canReturnTo(release, serving) && <RollBack to={release} />}
    </Section>
  );
};
