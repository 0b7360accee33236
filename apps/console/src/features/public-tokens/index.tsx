/** The tokens with which a product reads its own texts and notifications, as a tab of its page. */
import { publicTokens, type Answer } from '@quarterdeck/contract';
import { IconKey } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useActorName } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { TokenTable } from '../../records/TokenTable';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import type { Column } from '../../ui/DataTable';
import { Mono, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { SecretOnce } from '../../ui/SecretOnce';
import { useAction } from '../../ui/use-action';

type Token = Answer<typeof publicTokens.list>[number];

export const ProductTokens = ({ product }: { product: string }) => {
  const nameOf = useActorName();
  const query = useAnswer(publicTokens.list, { product: { id: product } });
  const [issueOne, issuing] = useChange(publicTokens.issue);
  const [revoke] = useChange(publicTokens.revoke);
  const [issued, setIssued] = useState<string>();
  const { act, failure, dismiss } = useAction();
  const columns = useMemo(
    (): Column<Token>[] => [
      { id: 'fingerprint', header: 'Token', value: (one) => one.fingerprint, mono: true, priority: 1 },
      {
        id: 'used',
        header: 'Last used',
        value: ({ usedAt }) => usedAt ?? '',
        cell: ({ usedAt }) => (usedAt === undefined ? 'never' : <RelativeTime at={usedAt} />),
        priority: 2,
      },
      { id: 'uses', header: 'Uses', value: ({ uses = 0 }) => uses, align: 'right', width: '1%', priority: 3 },
      {
        id: 'issued',
        header: 'Issued',
        value: ({ issuedAt }) => issuedAt,
        cell: ({ issuedAt }) => <RelativeTime at={issuedAt} />,
      },
      { id: 'by', header: 'Issued by', value: ({ issuedBy }) => nameOf(issuedBy), filter: 'category' },
    ],
    [nameOf],
  );
  const issue = () =>
    act({
      send: () => issueOne({ product: { id: product } }).unwrap(),
      done: ({ token }) => setIssued(token),
      failed: 'No token was issued',
    });
  const address = `${location.origin}/api/public/i18n/${product}/en`;
  return (
    <Section
      title="Tokens"
      actions={
        <DisabledInPast>
          <Action icon={IconKey} loading={issuing.isLoading} does={issue}>
            Issue token
          </Action>
        </DisabledInPast>
      }
    >
      <Note mb={16}>
        With a token the product reads its texts, CMS texts and notifications at <Mono>/api/public/</Mono>,
        and nothing else. To replace one, issue another, give it to the product, then revoke the old one.
      </Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      {issued !== undefined && (
        <SecretOnce
          what="A product token"
          value={issued}
          example={`curl -H 'Authorization: Bearer …' ${address}`}
        >
          It is valid until you revoke it. The product reads its texts with it:
        </SecretOnce>
      )}
      <TokenTable
        label="Product tokens"
        query={query}
        columns={columns}
        act={act}
        revoke={(token) => revoke(token).unwrap()}
        consequences="Whatever uses it can no longer read the texts and notifications."
      />
    </Section>
  );
};
