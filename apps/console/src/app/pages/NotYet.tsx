import { Button } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { paths } from '../../core/paths';

/** Sections that this version does not include yet. Their page says so instead of looking like an empty list. */
const sections = {
  cloud: {
    title: 'Cloud hosting',
    will: 'Servers, databases and domains of your cloud provider will appear here.',
  },
} as const;

export function NotYet({ section }: { section: keyof typeof sections }) {
  const { title, will } = sections[section];
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        icon={IconTool}
        title="Not part of this installation yet"
        action={
          <Button component={Link} to={paths.home()} variant="default">
            Back to home
          </Button>
        }
      >
        {will} This version of the console does not include them.
      </EmptyState>
    </>
  );
}
