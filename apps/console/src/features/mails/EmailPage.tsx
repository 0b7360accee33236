/** One e-mail: as its reader sees it, its text, its source, its attachments, and what became of it. */
import { Box } from '@mantine/core';
import { mails } from '@quarterdeck/contract';
import type { EmailView } from '@quarterdeck/projections';
import { IconDownload, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { HistoryOf } from '../../records/history';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { bytesInWords } from '../../ui/bytes';
import { DataView } from '../../ui/DataView';
import { DetailPage, type Tab } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { Facts } from '../../ui/Facts';
import { List } from '../../ui/List';
import { Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { EmailState, notSaid, sources, subjectOf } from './email-words';
import classes from './mails.module.css';
import look from '../../ui/look.module.css';

export const EmailPage = ({ base }: { base: string }) => {
  const { id = '' } = useParams();
  return (
    <PageView query={useAnswer(mails.detail, { id })} what="E-mail" subject={{ category: 'email', id }}>
      {(email) => <Email key={email.id} base={base} email={email} />}
    </PageView>
  );
};

const tabsOf = (email: EmailView, base: string): Tab[] => [
  ...(email.html ? [{ id: 'html', label: 'HTML', content: () => <Html email={email} /> }] : []),
  { id: 'text', label: 'Text', content: () => <Text email={email} /> },
  { id: 'source', label: 'Source', content: () => <Source id={email.id} /> },
  {
    id: 'attachments',
    label: `Attachments (${email.files.length})`,
    content: () => <Attachments email={email} />,
  },
  { id: 'details', label: 'Details', content: () => <Details email={email} base={base} /> },
  {
    id: 'history',
    label: 'History',
    content: () => <HistoryOf category="email" id={email.id} name={subjectOf(email)} />,
  },
];

/** The tab that has something to read, if it is not the first one. */
const firstOf = ({ state, html, body, files }: EmailView): string | undefined => {
  if (state === 'malformed' || state === 'tooMuch') return 'source';
  return !html && body.trim() === '' && files.length > 0 ? 'attachments' : undefined;
};

const Email = ({ base, email }: { base: string; email: EmailView }) => {
  const navigate = useNavigate();
  const { id, from, recipients, logDateAdded, editable, state } = email;
  const [removeIt] = useChange(mails.delete);
  const { act, failure, dismiss } = useAction();
  const remove = () =>
    act({
      ask: {
        title: 'Delete this e-mail?',
        body: 'Are you sure you would like to delete? Its text and its attachments are gone for good. This cannot be undone.',
        confirmLabel: 'Delete e-mail',
        danger: true,
      },
      send: () => removeIt({ id }).unwrap(),
      failed: 'The e-mail was not deleted',
      to: base,
    });
  const tabs = tabsOf(email, base);
  const first = firstOf(email);
  return (
    <DetailPage
      back={{ to: base, label: 'E-mails' }}
      name={subjectOf(email)}
      badge={<EmailState state={state} />}
      facts={[
        { label: 'From', value: from || notSaid(email) },
        { label: 'Recipients', value: recipients.join(', ') || notSaid(email) },
        { label: 'Date', value: <RelativeTime at={logDateAdded} /> },
      ]}
      reading={
        <Action
          icon={IconDownload}
          variant="default"
          does={() => window.location.assign(fileAddress(mails.download.path, id))}
        >
          Download
        </Action>
      }
      primary={
        <Action icon={IconSend} does={`${base}/${id}/resend`}>
          Resend…
        </Action>
      }
      actions={[
        {
          label: 'Edit',
          icon: <IconPencil size={16} />,
          onClick: () => void navigate(`${base}/${id}/change`),
          disabledReason: editable ? undefined : 'An e-mail that came in is kept as it came.',
        },
        { label: 'Delete e-mail', icon: <IconTrash size={16} />, danger: true, onClick: () => void remove() },
      ]}
      tabs={
        first === undefined ? tabs : tabs.toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
    </DetailPage>
  );
};

const fileAddress = (path: string, id: string, index?: number): string =>
  `/api/${path.replace(':id', id).replace(':index', String(index))}`;

/** A stranger wrote it: it runs nothing and asks nobody, whatever it says. */
const Html = ({ email }: { email: EmailView }) => (
  <>
    <Note mb={8}>
      Shown without scripts, forms and anything that would be fetched from elsewhere. Links do not open.
    </Note>
    <iframe
      title={`HTML of ${subjectOf(email)}`}
      className={classes.frame}
      sandbox=""
      referrerPolicy="no-referrer"
      src={fileAddress(mails.html.path, email.id)}
    />
  </>
);

const Text = ({ email: { body, cut } }: { email: EmailView }) => {
  if (body.trim() === '')
    return (
      <EmptyState title="No text">This e-mail has no text. Its source shows what it consists of.</EmptyState>
    );
  return (
    <>
      {cut && <Note mb={8}>Only the beginning is shown. Download the e-mail to read all of it.</Note>}
      <Box component="pre" className={classes.text}>
        {body}
      </Box>
    </>
  );
};

const Source = ({ id }: { id: string }) => (
  <DataView query={useAnswer(mails.source, { id })} what="Source">
    {({ source, cut }) => (
      <>
        {cut && <Note mb={8}>Only the first MB is shown. Download the e-mail to read all of it.</Note>}
        <Box component="pre" className={`${classes.text} ${classes.source}`} tabIndex={0} aria-label="Source">
          {source}
        </Box>
      </>
    )}
  </DataView>
);

const Attachments = ({ email: { id, files } }: { email: EmailView }) => {
  if (files.length === 0)
    return <EmptyState title="No attachments">Files that came with an e-mail appear here.</EmptyState>;
  return (
    <List>
      {files.map(({ index, name, type, bytes }) => (
        <li key={index}>
          <a href={fileAddress(mails.attachment.path, id, index)} download className={look.wrap}>
            {name}
          </a>{' '}
          <Box component="span" c="dimmed">
            {type}, {bytesInWords(bytes)}
          </Box>
        </li>
      ))}
    </List>
  );
};

const Details = ({ email, base }: { email: EmailView; base: string }) => {
  const { envelope, date, messageId, bytes, source, resentFrom, resends, run } = email;
  return (
    <Facts
      label="Details"
      facts={[
        ['Came by', sources[source]],
        ['Sender of the envelope', envelope.from === '' ? 'none' : envelope.from],
        [
          'Recipients of the envelope',
          envelope.recipients.length === 0 ? 'none' : envelope.recipients.join(', '),
        ],
        ['Written', date === undefined ? 'The e-mail does not say' : <RelativeTime key="date" at={date} />],
        ['Message-ID', messageId ?? 'none'],
        ['Size', bytesInWords(bytes)],
        ...(resentFrom
          ? [
              [
                'Repeats',
                <Link key="of" to={`${base}/${resentFrom.id}/edit`}>
                  another e-mail
                </Link>,
              ] as const,
            ]
          : []),
        ...(run === undefined
          ? []
          : [
              [
                'Sent by',
                <Link key="run" to={paths.run(run)}>
                  a run, which shows the outcome
                </Link>,
              ] as const,
            ]),
        [
          'Sent again',
          resends.length === 0
            ? 'never'
            : resends.map(({ id, run: by, at }) => (
                <Box key={id}>
                  <Link to={`${base}/${id}/edit`}>
                    <RelativeTime at={at} />
                  </Link>
                  {by !== undefined && (
                    <>
                      {', '}
                      <Link to={paths.run(by)}>outcome</Link>
                    </>
                  )}
                </Box>
              )),
        ],
      ]}
    />
  );
};
