/** What the endpoints of an instance were asked, how long it took, and a sample of the requests. Refreshed while it is open. */
import { apiInstances, callsOf, type ApiTraffic, type SampledRequest } from '@quarterdeck/contract';
import { endpoint } from '@quarterdeck/events';
import { IconActivity } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PresentOnly } from '../../core/as-of/in-past';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Dim, Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { endpointPath, type EndpointView, type InstanceView } from './instance-view';
import { spent } from './spent';

const LOOK_MS = 2000;

type NameOf = (id: string) => ReactNode;

const Counts = ({ of, nameOf }: { of: ApiTraffic['endpoints']; nameOf: NameOf }) => (
  <PlainTable label="Requests by endpoint">
    <thead>
      <tr>
        <th scope="col">Endpoint</th>
        <th scope="col">Requests</th>
        <th scope="col">4xx</th>
        <th scope="col">5xx</th>
        <th scope="col">p50</th>
        <th scope="col">p99</th>
      </tr>
    </thead>
    <tbody>
      {of
        .toSorted((one, other) => other.requests - one.requests)
        .map((one) => (
          <tr key={one.endpoint}>
            <th scope="row">{nameOf(one.endpoint)}</th>
            <td>{one.requests.toLocaleString('en')}</td>
            <td>{one.refused.toLocaleString('en')}</td>
            <td>{one.failed.toLocaleString('en')}</td>
            <td>{spent(one.p50)}</td>
            <td>{spent(one.p99)}</td>
          </tr>
        ))}
    </tbody>
  </PlainTable>
);

const Requests = ({ of }: { of: readonly SampledRequest[] }) => (
  <PlainTable label="Sampled requests">
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Request</th>
        <th scope="col">Status</th>
        <th scope="col">Duration</th>
        <th scope="col">Message and log</th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ at, method, path, status, ms, message, logs = [] }, index) => (
        <tr key={`${at} ${of.length - index}`}>
          <td>
            <RelativeTime at={at} />
          </td>
          <th scope="row">
            <Mono>
              {method} {path}
            </Mono>
          </th>
          <td>{status}</td>
          <td>{spent(ms)}</td>
          <td>{[message, ...logs].filter((line) => line !== undefined).join('; ') || <Dim>none</Dim>}</td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);

const Seen = ({ traffic, nameOf }: { traffic: ApiTraffic; nameOf: NameOf }) =>
  traffic.endpoints.length === 0 ? (
    <EmptyState icon={IconActivity} title="No requests yet">
      Requests to this instance will appear here a second after they are answered.
    </EmptyState>
  ) : (
    <>
      <Note mb={12}>
        {traffic.since !== undefined && (
          <>
            Counted since <RelativeTime at={traffic.since} />: the last seven days at most.{' '}
          </>
        )}
        The requests themselves are not stored. To replay them against a changed endpoint, up to 20 GET
        requests of each endpoint that reads are kept with the values of their queries and with who sent them:
        for an hour at most, in memory only, and never shown. Requests with a parameter such as a token or a
        password are not kept.
      </Note>
      <Section title="Endpoints">
        <Counts of={traffic.endpoints} nameOf={nameOf} />
      </Section>
      <Section title="Latest requests" mt={24}>
        <Note mb={12}>
          A sample of at most 100 requests that this console process has seen since it began. Those that were
          refused are sampled apart from the others.
        </Note>
        <Requests of={traffic.requests} />
      </Section>
    </>
  );

const Live = ({ view, base }: { view: InstanceView; base: string }) => {
  const query = useAnswer(
    apiInstances.traffic,
    { instance: { uuid: view.id } },
    { pollingInterval: LOOK_MS, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const { data: endpoints } = useAnswer(callsOf(endpoint).list, { apiInstance: { id: view.id } });
  const nameOf: NameOf = (id) => {
    if (id === '') return <Dim>/auth, and paths without an endpoint</Dim>;
    const found = endpoints?.find((one: EndpointView) => one.id === id);
    if (!found) return <Dim>{endpoints ? 'removed endpoint' : id}</Dim>;
    return (
      <Link to={endpointPath(base, view.id, id)}>
        <Mono>
          {found.method} {found.path}
        </Mono>
      </Link>
    );
  };
  return (
    <DataView query={query} what="Traffic">
      {(traffic) => <Seen traffic={traffic} nameOf={nameOf} />}
    </DataView>
  );
};

export const TrafficTab = (props: { view: InstanceView; base: string }) => (
  <PresentOnly what="Traffic">
    <Live {...props} />
  </PresentOnly>
);
