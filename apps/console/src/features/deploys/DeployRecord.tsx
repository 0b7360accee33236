/** The record of a deploy: package, settings, variables by fingerprint, compose file and proxy. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { releasePath, type Release } from '../../records/verdicts';
import { CodeView } from '../../ui/code';
import { CopyText } from '../../ui/CopyText';
import { Facts } from '../../ui/Facts';
import { Title } from '../../ui/heading';
import classes from './deploys.module.css';
import { Section } from '../../ui/Card';

type Fact = readonly [string, ReactNode];

const factsOf = (release: Release): readonly Fact[] => {
  const { client, health, keep, port, served, why, reason, rollbackTo, pushed } = release;
  const folder: Fact = ['Folder in the package', client?.folder || 'the whole package'];
  const back = rollbackTo !== undefined && (
    <Link to={releasePath({ ...release, id: rollbackTo })}>an earlier deploy</Link>
  );
  return [
    [client ? 'npm package' : 'Image', <CopyText key="image" value={release.package.image} />],
    ['Digest', served ? <CopyText key="digest" value={served.digest} /> : 'not known: it never served'],
    ...(client ? [folder] : []),
    ['Port', port],
    ['Health check', `${health.path} within ${health.seconds} s`],
    ['Releases kept', keep],
    ...(back ? ([['Rolled back to', back]] satisfies Fact[]) : []),
    ...(pushed
      ? ([['Started by', `the rule ${pushed.rule.name}, pushed by ${pushed.by}`]] satisfies Fact[])
      : []),
    ['Why', why ?? 'no reason given'],
    ...(reason === undefined ? [] : ([['Why it failed', reason]] satisfies Fact[])),
  ];
};

export const DeployRecord = ({ release }: { release: Release }) => {
  const { client, compose, lost = [], served, variables } = release;
  const today = new Set(lost.filter(({ instead }) => instead === 'today').map(({ key }) => key));
  const without = lost.filter(({ instead }) => instead === 'nothing');
  return (
    <Section mt={24} title="Record">
      <Facts label="What was deployed" facts={factsOf(release)} />
      {!client && (
        <>
          <Title least={4} mt={16} mb={8}>
            Environment variables
          </Title>
          {variables.length + without.length === 0 ? (
            <p>It was deployed without variables.</p>
          ) : (
            <Table mb="md" className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Key</Table.Th>
                  <Table.Th>Fingerprint</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {variables.map(({ key, fingerprint, secret, destroyed }) => (
                  <Table.Tr key={key}>
                    <Table.Th scope="row">{key}</Table.Th>
                    <Table.Td>
                      {fingerprint}
                      {secret && (destroyed ? ' (secret, its value was destroyed)' : ' (secret)')}
                      {today.has(key) &&
                        ': the value of the day of the rollback, as the earlier one was destroyed'}
                    </Table.Td>
                  </Table.Tr>
                ))}
                {without.map(({ key }) => (
                  <Table.Tr key={key}>
                    <Table.Th scope="row">{key}</Table.Th>
                    <Table.Td>left out: the value that the earlier deploy kept was destroyed</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          <CodeView text={compose} label="Compose file" language="yaml" filename="docker-compose.yml" />
        </>
      )}
      {served && <CodeView text={served.proxy} label="Proxy" language="nginx" filename="proxy.conf" />}
    </Section>
  );
};
