/** Lists and starts the workflows of a service's repositories at the source-code host. */
import { Box, Button, Group, Table, TextInput, VisuallyHidden } from '@mantine/core';
import { serviceRepositories } from '@quarterdeck/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { Note } from '../../ui/Note';

const DEFAULT_REF = 'master';

const inWords = ({ status, conclusion }: { status: string; conclusion: string | null }): string =>
  (conclusion ?? status).replaceAll('_', ' ');

export const WorkflowsTab = ({ id }: { id: string }) => {
  const query = useAnswer(serviceRepositories.workflows, { serviceId: id });
  const [trigger, { isLoading }] = useChange(serviceRepositories.trigger);
  const [ref, setRef] = useState('');
  const { act, failure, dismiss } = useAction();
  const start = ({ id: workflowId, name }: { id: number; name: string }) =>
    act({
      send: () => trigger({ serviceId: id, workflowId, ...(ref !== '' && { ref }) }).unwrap(),
      done: (started) => toast.success(`${name} was started on ${started.ref}.`),
      failed: `${name} could not be started`,
    });
  return (
    <section aria-label="Workflows">
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group align="end" mb="md">
        <TextInput
          label="Branch or tag"
          placeholder={DEFAULT_REF}
          value={ref}
          onChange={({ currentTarget: { value } }) => setRef(value)}
        />
        <Button variant="default" onClick={() => void query.refetch()} loading={query.isFetching}>
          Refresh
        </Button>
      </Group>
      <DataView query={query} what="Workflows">
        {({ workflows }) =>
          workflows.length === 0 ? (
            <Note m="8px 0 0">The repositories have no workflows.</Note>
          ) : (
            <Box style={{ overflowX: 'auto' }}>
              <Table aria-label="Workflows">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Repository</Table.Th>
                    <Table.Th>Last run</Table.Th>
                    <Table.Th>
                      <VisuallyHidden component="span">Actions</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {workflows.map((workflow) => (
                    <Table.Tr key={workflow.id}>
                      <Table.Td>
                        <a href={workflow.html_url} target="_blank" rel="noreferrer">
                          {workflow.name}
                        </a>
                      </Table.Td>
                      <Table.Td>{workflow.repo}</Table.Td>
                      <Table.Td>
                        {workflow.lastRun ? (
                          <>
                            <a href={workflow.lastRun.url} target="_blank" rel="noreferrer">
                              {inWords(workflow.lastRun)}
                            </a>{' '}
                            on {workflow.lastRun.ref}, <RelativeTime at={workflow.lastRun.at} />
                          </>
                        ) : (
                          'Never'
                        )}
                      </Table.Td>
                      <Table.Td>
                        <DisabledInPast>
                          <Action
                            icon={IconPlayerPlay}
                            variant="default"
                            aria-label={`Start ${workflow.name}`}
                            disabled={isLoading}
                            does={() => start(workflow)}
                          >
                            Start
                          </Action>
                        </DisabledInPast>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Box>
          )
        }
      </DataView>
    </section>
  );
};
