/** How a product sends its e-mails in, and the tokens with which it does. */
import { Alert, Box } from '@mantine/core';
import { mailIntake, mails, type Answer } from '@quarterdeck/contract';
import { IconKey } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { TokenTable } from '../../records/TokenTable';
import { Action } from '../../ui/Action';
import { bytesInWords } from '../../ui/bytes';
import { CopyText } from '../../ui/CopyText';
import type { Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { Facts } from '../../ui/Facts';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction, type Act } from '../../ui/use-action';
import look from '../../ui/look.module.css';

type Token = Answer<typeof mails.tokens>[number];
type Issued = Answer<typeof mails.issue>;

export const IntakePage = ({ base, product }: { base: string; product: string }) => {
  const [issueOne, issuing] = useChange(mails.issue);
  const [issued, setIssued] = useState<Issued>();
  const { act, failure, dismiss } = useAction();
  const issue = () =>
    act({
      send: () => issueOne({ product: { id: product } }).unwrap(),
      done: setIssued,
      failed: 'No token was issued',
    });
  return (
    <>
      <PageHeader
        title="Intake and tokens"
        description={
          <>
            The product sends its e-mails here, with a token. <Link to={base}>Back to the e-mails</Link>
          </>
        }
        actions={
          <DisabledInPast>
            <Action icon={IconKey} loading={issuing.isLoading} does={issue}>
              Issue token
            </Action>
          </DisabledInPast>
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      {issued && <Once issued={issued} />}
      <DataView query={useAnswer(mails.intake)} what="Intake">
        {({ smtp, maxBytes }) => (
          <Facts
            mb={24}
            label="Intake"
            facts={[
              [
                'SMTP',
                smtp
                  ? `${smtp.host}:${smtp.port}, ${smtp.tls ? 'with STARTTLS' : 'without encryption'}. Any user name, and the token as the password.`
                  : 'Off. The setting MAIL_PORT of the console turns it on.',
              ],
              ['Webhook', <CopyText key="webhook" value={webhook} />],
              ['Size', `at most ${bytesInWords(maxBytes)} for each e-mail`],
            ]}
          />
        )}
      </DataView>
      <Tokens product={product} act={act} />
    </>
  );
};

const webhook = `${location.origin}/api/${mailIntake.receive.path}`;

const Once = ({ issued: { id, token, secret } }: { issued: Issued }) => (
  <Alert
    role="status"
    color="yellow"
    variant="light"
    mb="md"
    title="Copy them now; they won’t be shown again"
  >
    <Facts
      facts={[
        ['Token, the password for SMTP', <CopyText key="token" value={token} />],
        ['Id, for X-Quarterdeck-Token', <CopyText key="id" value={id} />],
        ['Secret, which signs webhooks', <CopyText key="secret" value={secret} />],
      ]}
    />
    <Box component="p" className={look.wrap} m="8px 0 0">
      They are valid until you revoke the token.
    </Box>
  </Alert>
);

const Tokens = ({ product, act }: { product: string; act: Act }) => {
  const nameOf = useActorName();
  const query = useAnswer(mails.tokens, { product: { id: product } });
  const [revoke] = useChange(mails.revoke);
  const columns = useMemo(
    (): Column<Token>[] => [
      { id: 'token', header: 'Token', value: ({ fingerprint }) => fingerprint, mono: true, priority: 1 },
      { id: 'count', header: 'E-mails', value: ({ uses = 0 }) => uses, align: 'right', priority: 2 },
      {
        id: 'last',
        header: 'Last e-mail',
        value: ({ usedAt = '' }) => usedAt,
        cell: ({ usedAt }) => (usedAt === undefined ? 'none' : <RelativeTime at={usedAt} />),
        priority: 3,
      },
      {
        id: 'since',
        header: 'Issued',
        value: ({ issuedAt }) => issuedAt,
        cell: ({ issuedAt, issuedBy }) => (
          <>
            <RelativeTime at={issuedAt} /> by {nameOf(issuedBy)}
          </>
        ),
      },
    ],
    [nameOf],
  );
  return (
    <TokenTable
      label="Mail tokens"
      query={query}
      columns={columns}
      act={act}
      revoke={(token) => revoke(token).unwrap()}
      consequences="E-mails that are sent with it are refused from now on."
      purpose="With a token the product can send e-mails in, and nothing else."
    />
  );
};
