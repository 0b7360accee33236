/** Whether the target takes what a backup does there: each step with its verdict. */
import { Button, Flex, List } from '@mantine/core';
import type { Answer, backups } from '@quarterdeck/contract';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ApiError } from '../../core/http';
import { Note } from '../../ui/Note';
import { StateBadge } from '../../ui/StateBadge';

const steps = { list: 'List', write: 'Write', read: 'Read', delete: 'Delete' };

interface TargetTrialProps {
  trial: { isLoading: boolean; data?: Answer<typeof backups.try> | undefined; error?: ApiError | undefined };
  onTry: () => void;
}

export const TargetTrial = ({ trial: { isLoading, data, error }, onTry }: TargetTrialProps) => (
  <Flex direction="column" align="flex-start" gap={8} mb={12}>
    <Button variant="default" loading={isLoading} onClick={onTry}>
      Test connection
    </Button>
    <div role="status" aria-label="Test of the target">
      {isLoading && <Note>A small object is written to the target, read and deleted.</Note>}
      {!isLoading && error !== undefined && <Note>{error.msg}</Note>}
      {!isLoading && data && (
        <List listStyleType="none" spacing={4}>
          {data.map(({ does, ok, says }) => (
            <List.Item key={does}>
              <StateBadge
                state={`${steps[does]}: ${ok ? 'works' : 'failed'}`}
                tone={ok ? 'good' : 'bad'}
                icon={ok ? IconCircleCheck : IconAlertCircle}
              />{' '}
              {says}
            </List.Item>
          ))}
        </List>
      )}
    </div>
  </Flex>
);
