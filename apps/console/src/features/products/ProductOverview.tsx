/** Overview of a product: services with the verdicts of their servers and domains, and last deploys. */
import { Box, Flex } from '@mantine/core';
import { callsOf, domains, locations, deploys, servers } from '@quarterdeck/contract';
import { product as productNoun, service as serviceNoun } from '@quarterdeck/events';
import { IconBox } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { useNow } from '../../core/as-of/clock';
import { paths, plainPath } from '../../core/paths';
import { By } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { useLiveHealth } from '../../records/live-health';
import {
  DomainVerdictBadge,
  releasePath,
  ReleaseState,
  ServerVerdictBadge,
  useExpiringDays,
  type Release,
} from '../../records/verdicts';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import type { QueryLike } from '../../ui/query';
import look from '../../ui/look.module.css';
import { Section } from '../../ui/Card';
import { Stacked, Tiles } from '../../ui/Columns';
import { Title } from '../../ui/heading';
import { Note } from '../../ui/Note';

/** Number of deploys shown. */
const SHOWN = 5;

interface Service {
  id: string;
  name: string;
  port: number;
  packageType: string;
  server: { id: string; name?: string } | null;
}

export const ProductOverview = ({ product }: { product: string }) => {
  const query = useAnswer(callsOf(serviceNoun).list, { product: { id: product } });
  const running = useAnswer(deploys.running, { product: { id: product } });
  const lastDeploys = useAnswer(deploys.releases, { product: { id: product }, limit: SHOWN });
  useLiveHealth();
  const base = plainPath(productNoun, product, 'service');
  // All at once: what came later would push the rest down.
  if ([query, running, lastDeploys].some(({ isLoading }) => isLoading))
    return <Loading label="Loading overview" />;
  return (
    <>
      <Section title="Services" mt={24}>
        {running.error && (
          <ErrorState error={running.error} what="Running versions" onRetry={running.refetch} inline />
        )}
        <DataView query={query} what="Services">
          {(services) =>
            services.length === 0 ? (
              <EmptyState
                title="No services yet"
                icon={IconBox}
                action={<Link to={`${base}/add`}>Add service</Link>}
              >
                The services of this product, with their server and domains, will appear here.
              </EmptyState>
            ) : (
              <Tiles component="ul" className={look.list} min={320} gap={12}>
                {(services as unknown as Service[]).map((service) => (
                  <ServiceLine key={service.id} service={service} base={base} running={running.data ?? []} />
                ))}
              </Tiles>
            )
          }
        </DataView>
      </Section>
      <LastDeploys query={lastDeploys} />
    </>
  );
};

const LastDeploys = ({ query }: { query: QueryLike<Release[]> }) => (
  <Section title="Last deploys" mt={24}>
    <DataView query={query} what="Last deploys">
      {(all) =>
        all.length === 0 ? (
          <Note>Nothing has been deployed yet.</Note>
        ) : (
          <Flex component="ul" className={look.list} gap={6} direction="column">
            {all.map((release) => (
              <Flex component="li" key={release.id} gap={8} align="center" wrap="wrap">
                <Link to={releasePath(release)}>
                  {release.service.name} {release.package.version}
                </Link>
                <ReleaseState release={release} />
                <EnvBadge id={release.env.id} />
                <Box component="span" c="dimmed" fz={13}>
                  <By id={release.by} at={release.date} />
                </Box>
              </Flex>
            ))}
          </Flex>
        )
      }
    </DataView>
  </Section>
);

interface ServiceLineProps {
  service: Service;
  base: string;
  /** Of the product. */
  running: readonly Release[];
}

const ServiceLine = ({ service, base, running }: ServiceLineProps) => {
  const { id, name, port, packageType, server } = service;
  const { data: found } = useAnswer(locations.listByService, { service: { id } });
  const names = new Map((found ?? []).map(({ domain }) => [domain.id, domain.serverName]));
  const serves = running.find((one) => one.service.id === id && one.server.id === server?.id);
  return (
    <Stacked component="li" className={`${look.framed} ${look.wrap}`} gap={6} p={12}>
      <Title least={3}>
        <Link to={`${base}/${id}/detail`}>{name}</Link>
      </Title>
      <Box component="span" c="dimmed" fz={13}>
        {packageType}, port {serves?.port ?? port}
        {serves && serves.port !== port && `, ${port} with the next deploy`}
      </Box>
      {running
        .filter((one) => one.service.id === id)
        .map((one) => (
          <Flex component="span" key={one.id} gap={8} align="center" wrap="wrap">
            {one.package.version} <ReleaseState release={one} /> <EnvBadge id={one.env.id} />
          </Flex>
        ))}
      {server?.name !== undefined && <OnServer id={server.id} />}
      {[...names].map(([domain, serverName]) => (
        <AtDomain key={domain} id={domain} serverName={serverName} />
      ))}
      {found?.length === 0 && (
        <Box component="span" c="dimmed" fz={13}>
          no domain leads here yet
        </Box>
      )}
    </Stacked>
  );
};

const OnServer = ({ id }: { id: string }) => {
  const { data: server } = useAnswer(servers.detail, { id });
  return (
    server && (
      <Flex component="span" gap={8} align="center" wrap="wrap">
        <Link to={paths.server(id)}>{server.alias}</Link> <ServerVerdictBadge server={server} />
      </Flex>
    )
  );
};

const AtDomain = ({ id, serverName }: { id: string; serverName: string }) => {
  const { data: domain } = useAnswer(domains.detail, { id });
  const asOf = { now: useNow(), expiringDays: useExpiringDays() };
  return (
    <Flex component="span" gap={8} align="center" wrap="wrap">
      <Link to={paths.domain(id)}>{serverName}</Link>{' '}
      {domain && <DomainVerdictBadge domain={domain} asOf={asOf} />}
    </Flex>
  );
};
