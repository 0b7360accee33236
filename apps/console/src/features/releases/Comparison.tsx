/** What a rollback would change: the fields that differ, and line diffs of the compose file and the proxy. */
import { Table } from '@mantine/core';
import { releases } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { DataView } from '../../ui/DataView';
import { LineDiff } from '../../ui/line-diff';
import type { Release } from '../../records/verdicts';

export const Comparison = ({ from, to }: { from: Release; to: Release }) => {
  const query = useAnswer(releases.compare, { from: from.id, to: to.id });
  return (
    <DataView query={query} what="Comparison">
      {({ differences, compose, proxy }) => (
        <>
          <h3>
            {from.package.version} serves. This is different in {to.package.version}
          </h3>
          {differences.length === 0 ? (
            <p>Both are the same.</p>
          ) : (
            <Table mb="md" style={{ overflowWrap: 'anywhere' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>What</Table.Th>
                  <Table.Th>Now</Table.Th>
                  <Table.Th>After the rollback</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {differences.map((one) => (
                  <Table.Tr key={one.what}>
                    <Table.Th scope="row">{one.what}</Table.Th>
                    <Table.Td>{one.from}</Table.Td>
                    <Table.Td>{one.to}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          {to.client === undefined && (
            <>
              <h4>Compose file</h4>
              <LineDiff before={compose.from} after={compose.to} label="Compose file" />
            </>
          )}
          <h4>Proxy</h4>
          <LineDiff before={proxy.from} after={proxy.to} label="Proxy" />
        </>
      )}
    </DataView>
  );
};
