/** Confirms issuing, renewing or removing a certificate. Previews the change of the live site, as before an apply. */
import { Alert, Box, Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DomainView, SiteOptions } from '@quarterdeck/projections';
import { useRef, type ReactNode } from 'react';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import { LineageQuestion, useLineage, type LineageChoice } from './LineageQuestion';
import { ProofQuestion, useProof, type Proof } from './ProofQuestion';
import { SiteChange, useSiteChange } from './site/SiteChange';
import { liveOptions } from './site/use-site-options';
import { Note } from '../../ui/Note';
import look from '../../ui/look.module.css';

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
