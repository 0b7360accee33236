/** Deletes a domain, and optionally keeps its files on the server. */
import { Checkbox, Stack } from '@mantine/core';
import { domains, type Sent } from '@quarterdeck/contract';
import type { DomainView } from '@quarterdeck/projections';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { confirmTyped } from '../../ui/confirm';
import { undoOf } from '../../records/history';
import { toast } from '../../ui/toast';
import type { DomainRuns } from './use-domain-runs';

/** What to keep on the server. */
type LeftOnServer = NonNullable<Sent<typeof domains.delete>['keep']>;

export const useDomainActions = (domain: DomainView, runs: DomainRuns) => {
  const navigate = useNavigate();
  const [removeDomain] = useChange(domains.delete);
  const { id, serverName } = domain;

  const remove = async (): Promise<void> => {
    const keep: LeftOnServer = { config: false, certificate: false };
    const { confirmed, typed } = await confirmTyped({
      title: `Delete ${serverName}?`,
      body: <WhatGoes domain={domain} onChange={(choice) => Object.assign(keep, choice)} />,
      confirmLabel: 'Delete domain',
      danger: true,
      typeToConfirm: serverName,
    });
    if (!confirmed) return;
    let cleaning: string | undefined;
    const gone = await runs.start(`${serverName} could not be deleted`, async (asked) => {
      const { runId } = await removeDomain({ id, serverName: typed, keep, runId: asked }).unwrap();
      cleaning = runId;
      return runId === undefined ? {} : { runId };
    });
    if (!gone) return;
    if (cleaning === undefined) {
      toast.success(`${serverName} was deleted.`, undoOf({ category: 'domain', id }));
      return navigate(paths.domains());
    }
    toast.info(`${serverName} will be deleted when its server has been cleaned.`);
    return navigate(paths.run(cleaning));
  };

  return { remove };
};

interface WhatGoesProps {
  domain: DomainView;
  onChange: (keep: Partial<LeftOnServer>) => void;
}

const WhatGoes = ({ domain: { server, locations, config, certificate }, onChange }: WhatGoesProps) => {
  const alias = server.alias ?? 'its server';
  const count = locations.length === 1 ? 'Its location goes' : `Its ${locations.length} locations go`;
  return (
    <Stack gap="sm">
      <span>
        {locations.length > 0 && `${count} with it. `}
        Its runs and its history stay. DNS records are not touched.
      </span>
      {(config || certificate) && (
        <span>Its files on {alias} are removed first. The domain is deleted when that has succeeded.</span>
      )}
      {config && (
        <Checkbox
          label={`Keep the configuration on ${alias}`}
          description={config.file || undefined}
          onChange={(event) => onChange({ config: event.currentTarget.checked })}
        />
      )}
      {certificate && (
        <Checkbox
          label={`Keep the certificate on ${alias}`}
          description="certbot there may keep renewing it."
          onChange={(event) => onChange({ certificate: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
};
