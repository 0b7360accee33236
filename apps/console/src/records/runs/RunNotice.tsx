/** A long run on the page that started it, and what comes of it. */
import { Alert, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { StateBadge } from '../../ui/StateBadge';

const colors = { succeeded: 'green', failed: 'red', interrupted: 'yellow', cancelled: 'gray', open: 'gray' };

interface RunNoticeProps {
  run: string;
  state: keyof typeof colors;
  title: string;
  /** Members see no runs. */
  isLinked?: boolean;
  children: ReactNode;
}

export const RunNotice = ({ run, state, title, isLinked = true, children }: RunNoticeProps) => (
  <Alert role="status" variant="light" color={colors[state]} title={title} mb={16}>
    <Group gap={8}>
      <StateBadge state={state === 'open' ? 'running' : state} />
      {isLinked && <Link to={paths.run(run)}>Show its run</Link>}
      {state === 'open' && 'You can leave this page: it goes on.'}
    </Group>
    {children}
  </Alert>
);
