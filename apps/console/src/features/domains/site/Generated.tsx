/**
 * The configuration generated from locations and options, compared with the live one, and the button that applies it.
 */
import { Button, Checkbox, Group } from '@mantine/core';
import { sites } from '@quarterdeck/contract';
import { isWildcard } from '@quarterdeck/events';
import { IconCertificate, IconCloudUpload } from '@tabler/icons-react';
import type { DomainView, SiteOptions } from '@quarterdeck/projections';
import { useState } from 'react';
import { useChange } from '../../../core/calls';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { confirmAction } from '../../../ui/confirm';
import { CertificateChange, type CertificateQuestion } from '../CertificateChange';
import { type Generated as Text } from '../site.endpoints';
import type { DomainRuns } from '../use-domain-runs';
import { SiteChange, type useSiteChange } from './SiteChange';
import { optionNames, optionsInWords, optionWords, presets } from './use-site-options';
import { Card } from '../../../ui/Card';
import { Note } from '../../../ui/Note';

interface GeneratedProps {
  domain: DomainView;
  runs: DomainRuns;
  options: SiteOptions;
  choose: (to: SiteOptions) => void;
  change: ReturnType<typeof useSiteChange>;
}

export const Generated = ({ domain, runs, options, choose, change }: GeneratedProps) => {
  const { id, serverName, server, drift, certificate } = domain;
  const [apply] = useChange(sites.exec);
  const [issue] = useChange(sites.issueCertificate);
  const alias = server.alias ?? 'the server';
  // nginx would not start without one, so it is issued first.
  const issues = options.ssl && certificate === undefined;

  const onApply = async ({ applied, sha256: seen }: Text): Promise<void> => {
    const sure = await confirmAction({
      title: `Apply the configuration of ${serverName}?`,
      body: `It is written on ${alias} (${optionsInWords(options)}), tested there by nginx itself, and goes live only when nginx accepts it. ${applied === null ? 'Nothing was applied before.' : 'If nginx rejects it, the current configuration is restored.'}`,
      confirmLabel: 'Apply',
    });
    if (!sure) return;
    await runs.start(`The configuration of ${serverName} was not applied`, (runId) =>
      apply({ id, options, seen, runId }).unwrap(),
    );
  };

  const [asked, setAsked] = useState<CertificateQuestion>();
  const onIssue = ({ applied }: Text): void =>
    setAsked({
      title: `Issue a certificate for ${serverName} and apply the configuration?`,
      body: `SSL needs a certificate, and ${serverName} has none. ${applied === null && !isWildcard(serverName) ? 'For a check over HTTP, the site goes live over plain HTTP first. Then certbot' : 'Certbot'} on ${alias} asks the certificate authority. With the certificate, the configuration goes live (${optionsInWords(options)}).`,
      confirmLabel: 'Issue and apply',
      about: 'order',
      options,
      onConfirm: (seen, { lineage, proof }) => {
        setAsked(undefined);
        const how = {
          ...(seen !== undefined && { seen }),
          ...(lineage && { lineage }),
          ...(proof && { proof }),
        };
        void runs.start(`The certificate of ${serverName} was not requested`, (runId) =>
          issue({ id, options, runId, ...how }).unwrap(),
        );
      },
    });

  const { known } = change;
  const why = runs.busy ? 'A run of this domain is under way' : change.why;
  return (
    <Card
      title="Generated from locations and options"
      aria-label="Generated configuration"
      actions={
        <DisabledInPast>
          <Button
            leftSection={
              issues ? <IconCertificate size={15} aria-hidden /> : <IconCloudUpload size={15} aria-hidden />
            }
            loading={change.query.isFetching}
            disabled={!known || why !== undefined}
            title={why}
            onClick={() => known && (issues ? onIssue(known) : void onApply(known))}
          >
            {issues ? 'Issue certificate and apply' : 'Apply'}
          </Button>
        </DisabledInPast>
      }
    >
      <CertificateChange domain={domain} asked={asked} onClose={() => setAsked(undefined)} />
      <OptionChoice options={options} choose={choose} />
      {issues && (
        <Note below>SSL needs a certificate, and {serverName} has none yet: it is issued first.</Note>
      )}
      {drift && (
        <Note below>
          The file on {alias} differs from the one that was applied: choose below which to keep.
        </Note>
      )}
      <SiteChange serverName={serverName} change={change} />
    </Card>
  );
};

const OptionChoice = ({ options, choose }: Pick<GeneratedProps, 'options' | 'choose'>) => (
  <>
    <Group gap="xs" mb="sm" role="group" aria-label="Presets">
      {presets.map(({ label, options: preset }) => {
        const chosen = optionNames.every((name) => options[name] === preset[name]);
        return (
          <Button
            key={label}
            variant={chosen ? 'light' : 'default'}
            title={optionsInWords(preset)}
            aria-pressed={chosen}
            onClick={() => choose(preset)}
          >
            {label}
          </Button>
        );
      })}
    </Group>
    <Group gap="12px 32px" mb={16} role="group" aria-label="Options">
      {optionNames.map((name) => (
        <Checkbox
          key={name}
          label={optionWords[name].label}
          description={optionWords[name].help}
          checked={options[name]}
          onChange={(event) => choose({ ...options, [name]: event.currentTarget.checked })}
        />
      ))}
    </Group>
  </>
);
