import { Button, Group } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { IconExternalLink, IconWorld } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useAnswer } from '../../core/calls';
import { PresentOnly } from '../../core/as-of/in-past';
import { Card } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { Line, Lines } from '../../ui/List';
import { Dim, Note, TextBlock } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { StateBadge } from '../../ui/StateBadge';
import { Records } from './Records';
import look from '../../ui/look.module.css';

/** Changes that others make at the provider come without an event. */
const SEEN_MS = 30_000;

export type CloudDomain = Answer<typeof cloud.domainList>[number];

export const Domains = () => (
  <Card title="Domains">
    <PresentOnly what="Domains">
      <DomainList />
    </PresentOnly>
  </Card>
);

const DomainList = () => {
  const query = useAnswer(cloud.domainList, {}, { pollingInterval: SEEN_MS, skipPollingIfUnfocused: true });
  return (
    <DataView query={query} what="Domains">
      {(domains) =>
        domains.length === 0 ? (
          <EmptyState title="No domains yet" icon={IconWorld}>
            The domains whose records are at DigitalOcean will appear here.
          </EmptyState>
        ) : (
          <Lines aria-label="Domains">
            {domains.map((domain) => (
              <Domain key={domain.name} domain={domain} />
            ))}
          </Lines>
        )
      }
    </DataView>
  );
};

type Part = 'zone file' | 'A records' | 'all records' | 'comparison with DNS';

const parts: Readonly<Record<Part, (domain: CloudDomain) => ReactNode>> = {
  'zone file': ({ name, zone_file: text }) =>
    text === undefined ? (
      <Note>DigitalOcean has not sent the zone file yet.</Note>
    ) : (
      <TextBlock mah="40vh" role="region" aria-label={`Zone file of ${name}`}>
        {text}
      </TextBlock>
    ),
  'A records': (domain) => <AddressRecords domain={domain} />,
  'all records': ({ name }) => <Records domain={name} />,
  'comparison with DNS': ({ name }) => <Difference domain={name} />,
};

const Domain = ({ domain }: { domain: CloudDomain }) => {
  const { name, ttl, url } = domain;
  const [open, setOpen] = useState<readonly Part[]>([]);
  const toggle = (part: Part): void =>
    setOpen((known) => (known.includes(part) ? known.filter((one) => one !== part) : [...known, part]));
  return (
    <Line aria-label={name}>
      <Group justify="space-between" gap="8px 16px">
        <Group gap="4px 12px">
          <strong className={look.wrap}>{name}</strong>
          <Dim>TTL {ttl ?? 'unknown'}</Dim>
          <a href={url} target="_blank" rel="noreferrer" aria-label={`${name} at DigitalOcean`}>
            DigitalOcean
            <IconExternalLink size={14} className={look.afterWord} aria-hidden />
          </a>
        </Group>
        <Group gap={8}>
          {(Object.keys(parts) as Part[]).map((part) => (
            <Button
              key={part}
              size="compact-sm"
              variant="default"
              aria-expanded={open.includes(part)}
              onClick={() => toggle(part)}
            >
              {open.includes(part) ? 'Hide' : 'Show'} {part}
            </Button>
          ))}
        </Group>
      </Group>
      {open.map((part) => (
        <div key={part} className={look.below}>
          {parts[part](domain)}
        </div>
      ))}
    </Line>
  );
};

const AddressRecords = ({ domain: { name, records } }: { domain: CloudDomain }) =>
  records.length === 0 ? (
    <Note>The zone file has no A records.</Note>
  ) : (
    <PlainTable label={`A records of ${name}`}>
      <thead>
        <tr>
          <th>Host</th>
          <th>TTL</th>
          <th>Class</th>
          <th>Type</th>
          <th>IP</th>
        </tr>
      </thead>
      <tbody className={look.mono}>
        {records.map(({ host, ttl, ip }) => (
          <tr key={`${host} ${ip}`}>
            <td>{host}</td>
            <td>{ttl}</td>
            <td>IN</td>
            <td>A</td>
            <td>{ip}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );

/** What the zone says beside what its names resolve to. */
const Difference = ({ domain }: { domain: string }) => {
  const query = useAnswer(cloud.domainDifference, { domain }, { refetchOnMountOrArgChange: true });
  return (
    <DataView query={query} what="Comparison with DNS">
      {(names) =>
        names.length === 0 ? (
          <Note>There are no A records to compare.</Note>
        ) : (
          <PlainTable label={`DNS of ${domain}`}>
            <thead>
              <tr>
                <th>Name</th>
                <th>DNS</th>
                <th>At DigitalOcean</th>
                <th>Resolves to</th>
              </tr>
            </thead>
            <tbody>
              {names.map(({ host, expected, resolved, same, problem }) => (
                <tr key={host}>
                  <td className={look.mono}>{host}</td>
                  <td>
                    <StateBadge
                      state={same ? 'succeeded' : 'failed'}
                      tone={same ? 'good' : problem === undefined ? 'bad' : 'warn'}
                      label={same ? 'DNS correct' : problem === undefined ? 'DNS wrong' : 'DNS unknown'}
                    />
                  </td>
                  <td className={look.mono}>{expected.join(', ')}</td>
                  <td className={look.mono}>{problem ?? (resolved.join(', ') || 'nothing')}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )
      }
    </DataView>
  );
};
