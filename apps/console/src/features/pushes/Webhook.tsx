/** The webhook of a service: its address, what to enter at the source host, and its secrets. */
import { pushes, type Answer } from '@quarterdeck/contract';
import { IconKey } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { TokenTable } from '../../records/TokenTable';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { CopyText } from '../../ui/CopyText';
import type { Column } from '../../ui/DataTable';
import { Facts } from '../../ui/Facts';
import { Bullets } from '../../ui/List';
import { Mono, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { SecretOnce } from '../../ui/SecretOnce';
import { useAction } from '../../ui/use-action';

type Secret = Answer<typeof pushes.tokens>[number];

export const Webhook = ({ service }: { service: { id: string; name: string } }) => {
  const nameOf = useActorName();
  const of = useMemo(() => ({ service: { id: service.id } }), [service.id]);
  const query = useAnswer(pushes.tokens, of);
  const [issueOne, issuing] = useChange(pushes.issue);
  const [revoke] = useChange(pushes.revoke);
  const [issued, setIssued] = useState<string>();
  const { act, failure, dismiss } = useAction();
  const columns = useMemo(
    (): Column<Secret>[] => [
      { id: 'fingerprint', header: 'Secret', value: (one) => one.fingerprint, mono: true, priority: 1 },
      {
        id: 'used',
        header: 'Last used',
        value: ({ usedAt }) => usedAt ?? '',
        cell: ({ usedAt }) => (usedAt === undefined ? 'never' : <RelativeTime at={usedAt} />),
        priority: 2,
      },
      {
        id: 'issued',
        header: 'Issued',
        value: ({ issuedAt }) => issuedAt,
        cell: ({ issuedAt }) => <RelativeTime at={issuedAt} />,
        priority: 3,
      },
      { id: 'by', header: 'Issued by', value: ({ issuedBy }) => nameOf(issuedBy) },
    ],
    [nameOf],
  );
  const address = `${location.origin}/api/public/push/receive?service=${service.id}`;
  const issue = () =>
    act({
      send: () => issueOne(of).unwrap(),
      done: ({ secret }) => setIssued(secret),
      failed: 'No secret was issued',
    });
  return (
    <Section
      title="Webhook"
      actions={
        <DisabledInPast>
          <Action icon={IconKey} loading={issuing.isLoading} does={issue}>
            Issue secret
          </Action>
        </DisabledInPast>
      }
    >
      <Facts label="Webhook" facts={[['Address', <CopyText key="address" value={address} />]]} mb={12} />
      <Bullets component="ol" mb={12}>
        <li>
          At GitHub, open <b>Settings, Webhooks, Add webhook</b> of the repository or the organization.
        </li>
        <li>
          Enter the address above, the content type <Mono>application/json</Mono>, and a secret of this
          service.
        </li>
        <li>
          Choose the events <b>Packages</b> and <b>Releases</b>. GitHub sends a ping, which appears below.
        </li>
      </Bullets>
      <Note mb={16}>To replace a secret, issue another, enter it at GitHub, then revoke the old one.</Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      {issued !== undefined && (
        <SecretOnce
          what="A webhook secret"
          value={issued}
          example="X-Hub-Signature-256: sha256=<HMAC-SHA256 of the body in hexadecimal>"
        >
          GitHub signs with it what it sends:
        </SecretOnce>
      )}
      <TokenTable
        label="Webhook secrets"
        query={query}
        columns={columns}
        act={act}
        revoke={(token) => revoke(token).unwrap()}
        consequences="Calls that are signed with it are refused."
        purpose="Without a secret no call is accepted. Issue one, and enter it at GitHub."
      />
    </Section>
  );
};
