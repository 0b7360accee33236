/** How the authority checks the names of a certificate: over HTTP, or in DNS through the provider of the workspace. */
import { Radio, Stack } from '@mantine/core';
import { workspaces } from '@quarterdeck/contract';
import { isWildcard } from '@quarterdeck/events';
import { namesInWords, namesOfSite, type DomainView, type WorkspaceView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';

export type Proof = 'http' | 'dns';

/** An authority checks a wildcard only in DNS. */
const hasWildcard = (domain: DomainView): boolean => namesOfSite(domain).some(isWildcard);

/** How the present certificate is proved, or the next one if nobody chooses. */
export const usualProof = (domain: DomainView): Proof =>
  hasWildcard(domain) ? 'dns' : (domain.certificate?.proof ?? 'http');

/** The domain without a star. */
const plainName = (serverName: string): string => serverName.replace(/^\*\./, '');

const inZone = (serverName: string, zone: string): boolean =>
  `.${plainName(serverName)}`.endsWith(`.${zone}`);

type Provider = WorkspaceView['dns']['provider'];

const providerInWords = (provider: NonNullable<Provider>): string =>
  `${provider.kind === 'rfc2136' ? `the name server ${provider.server}` : 'DigitalOcean'}, which has the zone ${provider.zone}`;

/** Why the names cannot be proved in DNS; undefined if they can. */
const whyNot = (names: readonly string[], provider: Provider): string | undefined => {
  if (!provider) return 'No DNS provider is set up for this workspace.';
  const outside = names.find((name) => !inZone(name, provider.zone));
  return outside === undefined
    ? undefined
    : `The DNS provider of this workspace has the zone ${provider.zone}, and ${plainName(outside)} is not in it.`;
};

export const useProof = (domain: DomainView, about: 'order' | 'removal') => {
  const usual = usualProof(domain);
  const [proof, setProof] = useState<Proof>(usual);
  const { data } = useAnswer(workspaces.detail);
  const asks = about === 'order' && domain.certificate?.lineage?.adopted === undefined;
  const missing = data && whyNot(namesOfSite(domain), data.dns?.provider);
  return {
    asks,
    proof,
    setProof,
    provider: data?.dns?.provider,
    missing,
    /** Why it cannot be confirmed. */
    why: asks && proof === 'dns' ? missing : undefined,
    /** Sent only if it is another one than before. */
    choice: asks && proof !== usual ? { proof } : {},
  };
};

interface ProofQuestionProps {
  domain: DomainView;
  proof: ReturnType<typeof useProof>;
}

export const ProofQuestion = ({
  domain,
  proof: { asks, proof, setProof, provider, missing },
}: ProofQuestionProps) => {
  if (!asks) return null;
  const { serverName, server } = domain;
  const star = hasWildcard(domain);
  const others = namesOfSite(domain).slice(1);
  const andOthers = others.length > 0 ? `, and the same of ${namesInWords(others)}` : '';
  const alias = server.alias ?? 'the server';
  return (
    <Radio.Group
      label="How the authority checks the name"
      value={proof}
      onChange={(value) => setProof(value as Proof)}
      my="sm"
    >
      <Stack gap="xs" mt="xs">
        <Radio
          value="http"
          label="Over HTTP"
          disabled={star}
          description={
            star
              ? 'An authority checks a wildcard only in DNS.'
              : `It fetches http://${serverName}/.well-known/acme-challenge/${andOthers}. The name has to point to ${alias}, and port 80 has to be reachable from outside.`
          }
        />
        <Radio
          value="dns"
          label="In DNS"
          disabled={missing !== undefined && !star}
          description={
            missing === undefined ? (
              `The console adds a TXT record _acme-challenge.${plainName(serverName)}${andOthers}${provider ? ` through ${providerInWords(provider)}` : ''}, and removes it afterwards. Nothing has to be reachable from outside.`
            ) : (
              <>
                {missing} <Link to={paths.settings('dns')}>DNS settings</Link>
              </>
            )
          }
        />
      </Stack>
    </Radio.Group>
  );
};
