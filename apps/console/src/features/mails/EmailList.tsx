/** The e-mails of a product. */
import { Group } from '@mantine/core';
import { mails } from '@quarterdeck/contract';
import type { EmailRow } from '@quarterdeck/projections';
import { IconKey, IconMail, IconPaperclip, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { count } from '../../ui/count';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';
import { EmailState, notSaid, sources, subjectOf } from './email-words';

const columns: readonly Column<EmailRow>[] = [
  {
    id: 'subject',
    header: 'Subject',
    value: subjectOf,
    cell: (email) => (
      <>
        {subjectOf(email)} <EmailState state={email.state} />
      </>
    ),
    priority: 1,
    maxWidth: '28rem',
  },
  {
    id: 'from',
    header: 'From',
    value: ({ from }) => from,
    cell: (email) => email.from || notSaid(email),
    priority: 2,
    maxWidth: '18rem',
  },
  {
    id: 'recipients',
    header: 'Recipients',
    value: ({ recipients }) => recipients.join(', '),
    cell: (email) => {
      const [first = notSaid(email), ...others] = email.recipients;
      return others.length === 0 ? first : `${first} and ${count(others.length, 'other')}`;
    },
    maxWidth: '18rem',
  },
  {
    id: 'attachments',
    header: 'Files',
    value: ({ attachments }) => attachments,
    cell: ({ attachments }) =>
      attachments === 0 ? null : (
        <Group gap={4} wrap="nowrap" role="img" aria-label={count(attachments, 'attachment')}>
          <IconPaperclip size={14} aria-hidden /> {attachments}
        </Group>
      ),
    sortable: false,
    width: '1%',
  },
  {
    id: 'source',
    header: 'Came by',
    value: ({ source }) => source,
    cell: ({ source }) => sources[source],
    filter: 'category',
    sortable: false,
  },
  {
    id: 'logDateAdded',
    header: 'Date',
    value: ({ logDateAdded }) => logDateAdded,
    cell: ({ logDateAdded }) => <RelativeTime at={logDateAdded} />,
    unsearched: true,
    priority: 3,
    width: '1%',
  },
];

export const EmailList = ({ base, product }: { base: string; product: string }) => {
  const navigate = useNavigate();
  const within = useMemo(() => ({ product: { id: product } }), [product]);
  const { total, table } = useListPage(mails.page, { defaultSort: '-logDateAdded', within });
  useShortcut('n', () => void navigate(`${base}/add`));
  const intake = (
    <Action icon={IconKey} variant="default" does={`${base}/intake`}>
      Intake and tokens
    </Action>
  );
  return (
    <>
      <PageHeader
        title="E-mails"
        count={total}
        description={
          <>
            What the product sent, newest first. It is kept for the days that{' '}
            <Link to={paths.settings('retention')}>Settings</Link> say, and then removed.
          </>
        }
        actions={
          <Group gap="xs">
            {intake}
            <Action icon={IconPlus} does={`${base}/add`}>
              Add e-mail
            </Action>
          </Group>
        }
      />
      <DataTable
        label="E-mails"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => `${base}/${id}/edit`}
        onOpen={({ id }) => void navigate(`${base}/${id}/edit`)}
        searchable
        empty={
          <EmptyState title="No e-mails yet" icon={IconMail} action={intake}>
            E-mails that the product sends to this console, over SMTP or by webhook, will appear here.
          </EmptyState>
        }
      />
    </>
  );
};
