/**
 * The file on the server. It can be compared on demand; if it differs from what was applied, it can be adopted or
 * overwritten.
 */
import { Button, Group, SegmentedControl } from '@mantine/core';
import { sites } from '@quarterdeck/contract';
import { IconAlertTriangle, IconCircleCheck, IconEye, IconTrash } from '@tabler/icons-react';
import type { DomainView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useChange, useAnswer } from '../../../core/calls';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { Action } from '../../../ui/Action';
import { CodeDiff, CodeView } from '../../../ui/code';
import { confirmAction } from '../../../ui/confirm';
import { DataView } from '../../../ui/DataView';
import { RelativeTime } from '../../../ui/RelativeTime';
import { StateBadge } from '../../../ui/StateBadge';
import { toast } from '../../../ui/toast';
import { ConfigBadge } from '../Badges';
import { seenThere, type Generated } from '../site.endpoints';
import type { DomainRuns } from '../use-domain-runs';
import { useSiteOptions } from './use-site-options';
import { Card } from '../../../ui/Card';
import { Dim, Mono, Note } from '../../../ui/Note';

interface FoundProps {
  domain: DomainView;
  runs: DomainRuns;
}

export const FoundOnServer = ({ domain, runs }: FoundProps) => {
  const { id, serverName, server, config, drift } = domain;
  const [removeSite] = useChange(sites.remove);
  const [look, { data: found, fulfilledTimeStamp }] = useChange(sites.look);
  const alias = server.alias ?? 'the server';

  const onRemove = async (): Promise<void> => {
    const sure = await confirmAction({
      title: `Remove the configuration of ${serverName}?`,
      body: `Its file is taken from ${alias}, and ${serverName} is no longer served there. The locations stay, so it can be applied again; the text stays in the history. A domain can be renamed or moved only without it.`,
      confirmLabel: 'Remove configuration',
      danger: true,
    });
    if (!sure) return;
    await runs.start(`The configuration of ${serverName} was not removed`, (runId) =>
      removeSite({ id, runId }).unwrap(),
    );
  };

  return (
    <Card
      title={`On ${alias}`}
      aria-label="On the server"
      actions={
        <Group gap="xs">
          <DisabledInPast>
            <Action
              icon={IconEye}
              variant="default"
              disabled={runs.busy}
              title={runs.busy ? 'A run of this domain is under way' : undefined}
              does={() =>
                void runs.start(`${alias} could not be read`, (runId) => look({ id, runId }).unwrap())
              }
            >
              Compare with server
            </Action>
          </DisabledInPast>
          {config && (
            <DisabledInPast>
              <Action
                icon={IconTrash}
                variant="light"
                color="red"
                disabled={runs.busy}
                title={runs.busy ? 'A run of this domain is under way' : undefined}
                does={() => onRemove()}
              >
                Remove
              </Action>
            </DisabledInPast>
          )}
        </Group>
      }
    >
      <Group component="p" gap="6px 12px" my={12}>
        <ConfigBadge domain={domain} />
        {drift && (
          <Dim>
            seen <RelativeTime at={drift.at} />
          </Dim>
        )}
        {config && !drift && (
          <Dim>
            No changes detected on the server since <Mono>{config.file}</Mono> was applied{' '}
            <RelativeTime at={config.at} />.
          </Dim>
        )}
        {!config && <Dim>Nothing has been applied from here yet.</Dim>}
      </Group>
      <div role="status">
        {found && (
          <Note below>
            <StateBadge {...lookVerdict({ ...found, applied: config !== undefined })} /> looked at{' '}
            <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />
          </Note>
        )}
      </div>
      {found?.text && !config && <CodeView text={found.text} label={`Found on ${alias}`} language="nginx" />}
      {config && drift && <Drifted domain={domain} runs={runs} config={config} drift={drift} />}
    </Card>
  );
};

/** What a comparison ended with. A file that is missing although it was applied is a drift too. */
const lookVerdict = ({
  text,
  drifted,
  applied,
}: {
  text: string | null;
  drifted: boolean;
  applied: boolean;
}) => {
  if (drifted)
    return {
      state: 'drifted',
      tone: 'warn',
      icon: IconAlertTriangle,
      label: 'Changed on the server',
    } as const;
  if (text === null) return { state: 'none', tone: 'quiet', label: 'No file on the server' } as const;
  return applied
    ? ({ state: 'same', tone: 'good', icon: IconCircleCheck, label: 'No changes on the server' } as const)
    : ({
        state: 'foreign',
        tone: 'warn',
        icon: IconAlertTriangle,
        label: 'The server has a file that was not applied from here',
      } as const);
};

interface DriftedProps extends FoundProps {
  config: NonNullable<DomainView['config']>;
  drift: NonNullable<DomainView['drift']>;
}

type Compared = 'found' | 'generated' | 'both';

type Drift = DriftedProps['drift'];

const overwriteLabel = ({ found }: Drift): string => (found ? 'Overwrite' : 'Write again');

/** What can be done about a file that is not the applied one. */
const useDriftActions = ({
  domain: { id, serverName, server },
  runs,
  drift,
  options,
}: Omit<DriftedProps, 'config'> & { options: ReturnType<typeof useSiteOptions>[0] }) => {
  const [adoptIt] = useChange(sites.adopt);
  const [apply] = useChange(sites.exec);
  const { found } = drift;
  const alias = server.alias ?? 'the server';

  const adopt = async (sha256: string): Promise<void> => {
    const sure = await confirmAction({
      title: `Adopt the file on the server for ${serverName}?`,
      body: `It then counts as applied. Nothing changes on ${alias}. The locations do not change, and the next apply replaces the file with the text generated from them.`,
      confirmLabel: 'Adopt',
    });
    if (!sure) return;
    const adopted = await runs.start('It was not adopted', async () => {
      await adoptIt({ id, sha256 }).unwrap();
      return {};
    });
    if (adopted) toast.success('The file on the server now counts as applied.');
  };

  const overwrite = async ({ sha256: seen }: Generated): Promise<void> => {
    const sure = await confirmAction({
      title: found
        ? `Overwrite the file on the server for ${serverName}?`
        : `Write the configuration of ${serverName} again?`,
      body: found
        ? `The file on ${alias} is replaced by the generated text. The current file stays in the history. nginx tests it before it goes live.`
        : `The generated text is written on ${alias}, where the file is missing. nginx tests it before it goes live.`,
      confirmLabel: overwriteLabel(drift),
      danger: true,
    });
    if (!sure) return;
    await runs.start(found ? 'It was not overwritten' : 'It was not written again', (runId) =>
      apply({ id, options, seen, runId, overwrite: seenThere(drift) }).unwrap(),
    );
  };

  return { adopt, overwrite };
};

const Drifted = ({ domain, runs, config, drift }: DriftedProps) => {
  const { id, server } = domain;
  const [options] = useSiteOptions(domain);
  const query = useAnswer(sites.generate, { id, options });
  // Only write a text that the operator could review.
  const generated = query.isError ? undefined : query.currentData;
  const { adopt, overwrite } = useDriftActions({ domain, runs, drift, options });
  const [compared, setCompared] = useState<Compared>('found');
  const { found } = drift;
  const alias = server.alias ?? 'the server';
  const sides = {
    found: { before: 'Applied', after: 'Found' },
    generated: { before: 'Applied', after: 'Generated' },
    both: { before: 'Found', after: 'Generated' },
  }[compared];
  const differenceTo = (after: string) => (
    <CodeDiff
      before={compared === 'both' ? (found?.text ?? '') : config.text}
      after={after}
      sides={sides}
      language="nginx"
    />
  );
  const why = reasonNotToOverwrite(runs.busy, generated);

  return (
    <>
      <Group gap="xs" mb="sm" mt="xs">
        <SegmentedControl
          aria-label="Compared"
          size="xs"
          value={compared}
          onChange={(to) => setCompared(to as Compared)}
          data={[
            { value: 'found', label: 'Applied → found' },
            { value: 'generated', label: 'Applied → generated' },
            { value: 'both', label: 'Found → generated' },
          ]}
        />
        <DisabledInPast>
          <Button
            variant="default"
            disabled={runs.busy || !found}
            title={found ? undefined : 'There is no file to adopt'}
            onClick={() => found && void adopt(found.sha256)}
          >
            Adopt
          </Button>
        </DisabledInPast>
        <DisabledInPast>
          <Button
            color="red"
            variant="light"
            disabled={!generated || why !== undefined}
            title={why}
            onClick={() => generated && void overwrite(generated)}
          >
            {overwriteLabel(drift)}
          </Button>
        </DisabledInPast>
      </Group>
      {!found && (
        <Note below>
          <StateBadge state="gone" tone="warn" label="gone" /> There is no such file on {alias} any more.
        </Note>
      )}
      {compared === 'found' ? (
        differenceTo(found?.text ?? '')
      ) : (
        <DataView query={query} what="Configuration">
          {({ nginxStatement }) => differenceTo(nginxStatement)}
        </DataView>
      )}
    </>
  );
};

const reasonNotToOverwrite = (busy: boolean, generated: Generated | undefined): string | undefined => {
  if (busy) return 'A run of this domain is under way';
  if (!generated) return 'The configuration could not be generated';
  return generated.nginxStatement === '' ? 'Fix the problems above first' : undefined;
};
