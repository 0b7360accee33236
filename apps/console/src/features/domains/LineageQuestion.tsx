/**
 * What certbot already has on the server under the name of a domain, and the question what becomes of it. An order would
 * drop the names and settings of a certificate that somebody else made, and be stored beside a damaged one.
 */
import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { domains, sites, type Answer, type Sent } from '@quarterdeck/contract';
import { lackedNames, namesInWords, namesOfSite, type DomainView } from '@quarterdeck/projections';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { Action } from '../../ui/Action';
import { AfterAWhile, Loading } from '../../ui/Loading';
import { Fact, Facts } from '../../ui/Facts';

type FoundLineage = Answer<typeof sites.lineage>;

export interface LineageChoice {
  /** Of an order. */
  lineage?: NonNullable<Sent<typeof sites.issueCertificate>['lineage']>;
  /** Of a removal. */
  removal?: Pick<Sent<typeof sites.removeCertificate>, 'leave' | 'lineage'>;
}

type Take = 'adopt' | 'own' | 'leave' | 'delete';

export const useLineage = (domain: DomainView, about: 'order' | 'removal') => {
  const { id, certificate } = domain;
  const query = useAnswer(sites.lineage, { id });
  const [take, setTake] = useState<Take>();
  const [typed, setTyped] = useState('');
  const found = query.currentData;
  const adopted = certificate?.lineage?.adopted !== undefined;
  // An adopted certificate is somebody else's, as was chosen before. It cannot get more names.
  const asks =
    found !== undefined &&
    (found.is === 'broken' ||
      (found.is === 'theirs' && (about === 'removal' || !adopted || lackedNames(domain).length > 0)));
  const settled = !asks || (take === 'delete' ? typed === found.name : take !== undefined);
  return {
    query,
    found,
    asks,
    take,
    setTake,
    typed,
    setTyped,
    /** Why it cannot be confirmed. */
    why: query.isLoading
      ? 'The server is being asked'
      : settled
        ? undefined
        : 'Choose what becomes of the certificate on the server first',
    choice: asks && take !== undefined ? choiceOf(found, take) : {},
  };
};

const choiceOf = ({ name, webroot }: FoundLineage, take: Take): LineageChoice => {
  switch (take) {
    case 'adopt':
      return { lineage: { take, ...(webroot !== undefined && { webroot }) } };
    case 'own':
      return { lineage: { take } };
    case 'leave':
      return { removal: { leave: true } };
    case 'delete':
      return { removal: { lineage: name } };
  }
};

interface LineageQuestionProps {
  domain: DomainView;
  about: 'order' | 'removal';
  lineage: ReturnType<typeof useLineage>;
}

export const LineageQuestion = ({ domain, about, lineage }: LineageQuestionProps) => {
  const { query, found, asks, take, setTake, typed, setTyped } = lineage;
  const alias = domain.server.alias ?? 'the server';
  if (query.isLoading)
    return (
      <AfterAWhile>
        <Loading label={`Asking ${alias} what certbot has there`} />
      </AfterAWhile>
    );
  if (query.error !== undefined)
    return (
      <Alert role="note" color="yellow" variant="light" my="sm" title={`${alias} could not be asked`}>
        {toApiError(query.error).msg} The run looks at certbot&apos;s certificates before it changes anything.
      </Alert>
    );
  if (!found || !asks) return null;
  return (
    <Alert
      role="note"
      color={found.is === 'broken' ? 'red' : 'yellow'}
      variant="light"
      my="sm"
      title={
        found.is === 'broken'
          ? `certbot's folder on ${alias} is damaged`
          : `The certificate on ${alias} was not made by this console`
      }
    >
      <Stack gap="sm">
        {found.is === 'broken' ? <span>{found.wrong}</span> : <Theirs found={found} />}
        {found.is === 'theirs' && about === 'order' && <ItsNames domain={domain} found={found} />}
        <Radio.Group
          label="What becomes of it"
          value={take ?? null}
          onChange={(value) => setTake(value as Take)}
          required
        >
          <Stack gap="xs" mt="xs">
            {waysOut(found, about, namesInWords(namesOfSite(domain)), alias).map((way) => (
              <Radio key={way.value} {...way} />
            ))}
          </Stack>
        </Radio.Group>
        {take === 'delete' && (
          <TextInput
            label={`Type ${found.name} to delete it`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
      </Stack>
    </Alert>
  );
};

/** Its names that are no names of the site. A wildcard is not a name. */
const ItsNames = ({ domain, found: { names = [] } }: { domain: DomainView; found: FoundLineage }) => {
  const [change, { isLoading, error }] = useChange(domains.names);
  const has = namesOfSite(domain);
  const others = names.filter((name) => !has.includes(name) && !name.startsWith('*.'));
  if (others.length === 0) return null;
  const all = [...(domain.names ?? []), ...others.map((name) => ({ name, does: 'serves' as const }))];
  return (
    <div>
      <Action
        icon={IconPlus}
        variant="default"
        loading={isLoading}
        does={() => change({ id: domain.id, names: all, revision: domain.revision })}
      >
        Make {namesInWords(others)} names of this site, too
      </Action>
      {error !== undefined && <p role="alert">{toApiError(error).msg}</p>}
    </div>
  );
};

const Theirs = ({ found: { names = [], authenticator, webroot, hooks } }: { found: FoundLineage }) => (
  <Facts>
    <Fact label="Names">{names.join(', ')}</Fact>
    <Fact label="Proof">
      {authenticator}
      {authenticator === 'webroot' && webroot !== undefined && ` in ${webroot}`}
    </Fact>
    {hooks !== undefined && (
      <Fact label="Runs">
        <code>{hooks}</code>
      </Fact>
    )}
  </Facts>
);

const waysOut = (
  { is, name, own, names = [] }: FoundLineage,
  about: 'order' | 'removal',
  ordered: string,
  alias: string,
): { value: Take; label: string; description: string }[] => {
  const leave = {
    value: 'leave' as const,
    label: `Leave it on ${alias}`,
    description: 'Only the console forgets it.',
  };
  const beside = {
    value: 'own' as const,
    label: 'Issue another one beside it',
    description: `For ${ordered}, as ${own}. ${name} stays as it is.`,
  };
  if (about === 'removal')
    return is === 'broken'
      ? [leave]
      : [
          leave,
          {
            value: 'delete',
            label: `Delete it on ${alias}, too`,
            description: `It is for ${names.join(', ')}. Other sites may need it.`,
          },
        ];
  if (is === 'broken') return [beside];
  return [
    {
      value: 'adopt',
      label: 'Adopt it',
      description: `Nothing is ordered now. Its names (${names.join(', ')}), its proof and its hooks stay, and the console renews it with them.`,
    },
    beside,
  ];
};
