/** Confirms issuing, renewing or removing a certificate. Previews the change of the live site, as before an apply. */
import { Alert, Box, Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import {
  type DomainView,
  namesInWords,
  namesOfSite,
  type SiteOptions,
  type WorkspaceView,
} from '@quarterdeck/projections';
import { type ReactNode, useRef, useState } from 'react';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { LineageQuestion, useLineage, type LineageChoice } from './LineageQuestion';
import { SiteChange, useSiteChange } from './site/SiteChange';
import { liveOptions } from './site/use-site-options';
import { Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { workspaces } from '@quarterdeck/contract';
import { isWildcard } from '@quarterdeck/events';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';

export interface CertificateQuestion {
  title: string;
  /** Describes what happens. */
  body: ReactNode;
  /** Why a check over HTTP may fail. */
  warning?: string | undefined;
  confirmLabel: string;
  about: 'order' | 'removal';
  danger?: boolean;
  /** Options of the configuration that goes live; `undefined` if the live one stays. */
  options: SiteOptions | undefined;
  /** `seen`: SHA-256 of the configuration that was shown. */
  onConfirm: (seen: string | undefined, choice: LineageChoice & { proof?: Proof }) => void;
}

const none: SiteOptions = { docker: false, ssl: false, gzip: false };

interface CertificateChangeProps {
  domain: DomainView;
  asked: CertificateQuestion | undefined;
  onClose: () => void;
}

export const CertificateChange = ({ domain, asked, onClose }: CertificateChangeProps) => {
  // Keeps the text while the dialog fades out.
  const last = useRef(asked);
  if (asked) last.current = asked;
  const shown = asked ?? last.current;
  return (
    <Modal
      opened={useOpenedOnceThere(asked !== undefined)}
      onClose={onClose}
      title={shown?.title}
      size="xl"
      centered
      zIndex={450}
    >
      {shown && <Looked domain={domain} {...shown} onClose={onClose} />}
    </Modal>
  );
};

const Looked = ({
  domain,
  body,
  warning,
  confirmLabel,
  about,
  danger = false,
  options: planned,
  onConfirm,
  onClose,
}: CertificateQuestion & Omit<CertificateChangeProps, 'asked'>) => {
  const lineage = useLineage(domain, about);
  const proof = useProof(domain, about);
  // Another certificate is in another folder, so the configuration has to name that.
  const taken = lineage.choice.lineage;
  const options = planned ?? (taken && { ...liveOptions(domain), ssl: true });
  const stays = options === undefined;
  const change = useSiteChange(domain, options ?? none, {
    skip: stays,
    // Without the certificate, nothing of an adopted one is named any more.
    lineage: taken ?? (about === 'removal' && domain.certificate?.lineage ? { take: 'own' } : undefined),
  });
  const why = lineage.why ?? proof.why ?? (stays ? undefined : change.why);
  const ready = why === undefined && (stays || change.known !== undefined);
  return (
    <>
      <p>{body}</p>
      <LineageQuestion domain={domain} about={about} lineage={lineage} />
      {taken?.take !== 'adopt' && <ProofQuestion domain={domain} proof={proof} />}
      {warning !== undefined && proof.proof === 'http' && (
        <Alert
          role="alert"
          color="yellow"
          variant="light"
          mb="md"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="The order may fail"
        >
          {warning}
        </Alert>
      )}
      {stays ? (
        <Note below>The configuration of the site does not change.</Note>
      ) : (
        <SiteChange serverName={domain.serverName} change={change} narrow />
      )}
      {change.why !== undefined && !stays && (
        <Box component="p" className={look.wrap} my={8}>
          {change.why}
        </Box>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          {...(danger && { color: 'red' })}
          disabled={!ready}
          title={why}
          onClick={() =>
            onConfirm(stays ? undefined : change.known?.sha256, {
              ...lineage.choice,
              ...(taken?.take !== 'adopt' && proof.choice),
            })
          }
        >
          {taken?.take === 'adopt' ? 'Adopt certificate' : confirmLabel}
        </Button>
      </Group>
    </>
  );
};

/** How the authority checks the names of a certificate: over HTTP, or in DNS through the provider of the workspace. */
type Proof = 'http' | 'dns';

/** An authority checks a wildcard only in DNS. */
const hasWildcard = (domain: DomainView): boolean => namesOfSite(domain).some(isWildcard);

/** How the present certificate is proved, or the next one if nobody chooses. */
const usualProof = (domain: DomainView): Proof =>
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

const useProof = (domain: DomainView, about: 'order' | 'removal') => {
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

const ProofQuestion = ({
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
