/** The difference of two deploys: who asked for them and why, the fields that differ, the compose file and the proxy. */
import { Table } from '@mantine/core';
import { deploys } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { By } from '../../records/actor';
import type { Release } from '../../records/verdicts';
import { DataView } from '../../ui/DataView';
import { LineDiff } from '../../ui/line-diff';
import classes from './deploys.module.css';
import { Title } from '../../ui/heading';

const NONE = '–';

const headOf = ({ package: { version }, serves }: Release): string =>
  serves ? `${version} (serves)` : version;

interface ComparisonProps {
  /** The id of a deploy. */
  from: string;
  to: Release;
}

export const Comparison = ({ from: other, to }: ComparisonProps) => {
  const found = useAnswer(deploys.release, { id: other });
  const query = useAnswer(deploys.compare, { from: other, to: to.id });
  return (
    <DataView query={found} what="Deploy to compare with">
      {(from) => (
        <DataView query={query} what="Comparison">
          {({ differences, compose, proxy }) => (
            <>
              <Table mb="md" className={classes.table}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>What</Table.Th>
                    <Table.Th>{headOf(from)}</Table.Th>
                    <Table.Th>{headOf(to)}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  <Table.Tr>
                    <Table.Th scope="row">Requested</Table.Th>
                    {[from, to].map(({ id, by, date }) => (
                      <Table.Td key={id}>
                        <By id={by} at={date} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                  <Table.Tr>
                    <Table.Th scope="row">Why</Table.Th>
                    {[from, to].map(({ id, why = NONE }) => (
                      <Table.Td key={id}>{why}</Table.Td>
                    ))}
                  </Table.Tr>
                  {differences.map((one) => (
                    <Table.Tr key={one.what}>
                      <Table.Th scope="row">{one.what}</Table.Th>
                      <Table.Td>{one.from}</Table.Td>
                      <Table.Td>{one.to}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {differences.length === 0 && <p>Package, settings and variables are the same.</p>}
              {(compose.from !== '' || compose.to !== '') && (
                <>
                  <Title least={4} mb={8}>
                    Compose file
                  </Title>
                  <LineDiff before={compose.from} after={compose.to} label="Compose file" />
                </>
              )}
              <Title least={4} mb={8}>
                Proxy
              </Title>
              <LineDiff before={proxy.from} after={proxy.to} label="Proxy" />
            </>
          )}
        </DataView>
      )}
    </DataView>
  );
};
