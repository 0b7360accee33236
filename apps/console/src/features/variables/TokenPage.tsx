/** Exports an environment, and manages the tokens with which a running app reads its own variables. */
import { Group } from '@mantine/core';
import { variables, type Answer } from '@quarterdeck/contract';
import { IconDownload, IconKey } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useActorName } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { ActionFailure } from '../../records/runs';
import { TokenTable } from '../../records/TokenTable';
import { Action } from '../../ui/Action';
import type { Column } from '../../ui/DataTable';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { saveBlob } from '../../ui/save-text';
import { SecretOnce } from '../../ui/SecretOnce';
import { useAction, type Act } from '../../ui/use-action';
import { EnvironmentSwitch } from './EnvironmentSwitch';
import { envIn, envName, inEnv } from './variable-words';

type Token = Answer<typeof variables.tokens>[number];
type Issued = Answer<typeof variables.getAppToken> & { env: number };

interface TokenPageProps {
  base: string;
  service: { id: string; name: string };
}

export const TokenPage = ({ base, service }: TokenPageProps) => {
  const [search] = useSearchParams();
  const env = envIn(search);
  const [exportThem, exporting] = useChange(variables.generateExport);
  const [getToken, getting] = useChange(variables.getAppToken);
  const [issued, setIssued] = useState<Issued>();
  const { act, failure, dismiss } = useAction();
  const input = { service: { id: service.id }, env };
  const download = () =>
    act({
      send: () => exportThem(input).unwrap(),
      done: (exported) => {
        saveBlob(`${service.name}.${envName(env)}.env`, new Blob([exported.lines], { type: 'text/plain' }));
        setIssued({ ...exported, env });
      },
      failed: 'Nothing was exported',
    });
  const issue = () =>
    act({
      send: () => getToken(input).unwrap(),
      done: (token) => setIssued({ ...token, env }),
      failed: 'No token was issued',
    });
  return (
    <>
      <PageHeader
        title="Export and tokens"
        description={
          <>
            An export contains every value, including those of the database. The history records who saw them.{' '}
            <Link to={inEnv(base, env)}>Back to the variables</Link>
          </>
        }
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <Group gap="xs" mb="md">
        <EnvironmentSwitch />
        <DisabledInPast>
          <Group gap="xs">
            <Action icon={IconDownload} variant="default" loading={exporting.isLoading} does={download}>
              Download .env
            </Action>
            <Action icon={IconKey} loading={getting.isLoading} does={issue}>
              Get app token
            </Action>
          </Group>
        </DisabledInPast>
      </Group>
      {issued && <Once issued={issued} />}
      <Tokens service={service.id} act={act} />
    </>
  );
};

const Once = ({ issued: { token, env, expiresAt } }: { issued: Issued }) => (
  <SecretOnce
    what={`A token for ${envName(env)}`}
    value={token}
    example={`curl -H 'Authorization: Bearer …' ${location.origin}/api/env-var/own?env=${envName(env)}`}
  >
    {expiresAt === undefined
      ? 'It is valid until you revoke it.'
      : 'It is valid for an hour, for programs that fetch the export.'}{' '}
    The app reads its variables with it:
  </SecretOnce>
);

const Tokens = ({ service, act }: { service: string; act: Act }) => {
  const nameOf = useActorName();
  const query = useAnswer(variables.tokens, { service: { id: service } });
  const [revoke] = useChange(variables.revoke);
  const columns = useMemo(
    (): Column<Token>[] => [
      { id: 'fingerprint', header: 'Token', value: (one) => one.fingerprint, mono: true, priority: 1 },
      {
        id: 'env',
        header: 'Environment',
        value: ({ env }) => envName(env.id),
        cell: ({ env }) => <EnvBadge id={env.id} />,
        priority: 2,
      },
      {
        id: 'valid',
        header: 'Valid',
        value: ({ expiresAt }) => expiresAt ?? '',
        cell: ({ expiresAt }) =>
          expiresAt === undefined ? 'until revoked' : <RelativeTime at={expiresAt} />,
      },
      {
        id: 'used',
        header: 'Last used',
        value: ({ usedAt }) => usedAt ?? '',
        cell: ({ usedAt }) => (usedAt === undefined ? 'never' : <RelativeTime at={usedAt} />),
        priority: 3,
      },
      { id: 'uses', header: 'Uses', value: ({ uses = 0 }) => uses, align: 'right', width: '1%' },
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
  return (
    <TokenTable
      label="Tokens"
      query={query}
      columns={columns}
      act={act}
      revoke={(token) => revoke(token).unwrap()}
      consequences="The app that uses it can no longer read its variables."
      purpose="With a token a running app reads the variables of its own service and environment, and nothing else."
    />
  );
};
