/** Earlier configurations, newest first. Each can be compared with the live one and restored. */
import { Button, Group } from '@mantine/core';
import { sites } from '@quarterdeck/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { AppliedConfig, DomainView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useChange } from '../../../core/calls';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { paths } from '../../../core/paths';
import { By } from '../../../records/actor';
import { Action } from '../../../ui/Action';
import { CodeDiff } from '../../../ui/code';
import { confirmAction } from '../../../ui/confirm';
import { DataView } from '../../../ui/DataView';
import { absoluteTime } from '../../../ui/RelativeTime';
import classes from '../domains.module.css';
import { seenThere } from '../site.endpoints';
import type { DomainRuns } from '../use-domain-runs';
import { optionsInWords } from './use-site-options';
import { Card } from '../../../ui/Card';
import { Dim, Mono, Note } from '../../../ui/Note';

interface AppliedTextsProps {
  domain: DomainView;
  runs: DomainRuns;
}

export const AppliedTexts = ({ domain, runs }: AppliedTextsProps) => {
  const { config, configs } = domain;
  const earlier = configs.filter(({ position }) => position !== config?.position);
  const [open, setOpen] = useState<string>();
  const opened = earlier.find(({ position }) => position === open);
  return (
    <Card title="Previous versions">
      {earlier.length === 0 ? (
        <Note below>Earlier versions will appear here. You can compare and restore them.</Note>
      ) : (
        <ol className={classes.applied} reversed>
          {earlier.map((text) => (
            <li key={text.position} data-open={text.position === open || undefined}>
              <Button
                variant="subtle"
                aria-pressed={text.position === open}
                onClick={() => setOpen(text.position === open ? undefined : text.position)}
              >
                {absoluteTime(text.at)}
              </Button>{' '}
              <Mono>{text.sha256.slice(0, 12)}</Mono>{' '}
              <Dim>
                {optionsInWords(text.options)}
                {text.restored && ', restored'}
                {text.run === undefined && ', adopted'}, <By id={text.by} at={text.at} />
              </Dim>{' '}
              {text.run !== undefined && <Link to={paths.run(text.run)}>Open run</Link>}
            </li>
          ))}
        </ol>
      )}
      {opened && <Compared domain={domain} runs={runs} text={opened} />}
    </Card>
  );
};

const Compared = ({ domain, runs, text }: AppliedTextsProps & { text: AppliedConfig }) => {
  const { id, serverName, server, config, drift } = domain;
  const query = useAnswer(sites.appliedText, { id, sha256: text.sha256 });
  const [restore] = useChange(sites.restore);
  const same = config?.sha256 === text.sha256;
  const why = runs.busy ? 'A run of this domain is under way' : same ? 'This version is live' : undefined;

  const onRestore = async (): Promise<void> => {
    const sure = await confirmAction({
      title: `Restore the configuration of ${absoluteTime(text.at)}?`,
      body: `It is written on ${server.alias ?? 'the server'} in place of what is live for ${serverName}, tested by nginx, and goes live when nginx accepts it. The locations stay as they are.${drift?.found ? ' The file on the server is overwritten.' : ''}`,
      confirmLabel: 'Restore',
    });
    if (!sure) return;
    await runs.start('It was not restored', (runId) =>
      restore({
        id,
        sha256: text.sha256,
        runId,
        ...(drift && { overwrite: seenThere(drift) }),
      }).unwrap(),
    );
  };

  return (
    <DataView query={query} what="Applied text">
      {({ text: earlier }) => (
        <>
          <Group gap="6px 12px" mt={12}>
            <DisabledInPast>
              <Action
                icon={IconArrowBackUp}
                variant="default"
                disabled={why !== undefined}
                title={why}
                does={() => onRestore()}
              >
                Restore
              </Action>
            </DisabledInPast>
          </Group>
          <CodeDiff
            before={config?.text ?? ''}
            after={earlier}
            sides={{ before: 'Live', after: 'Then' }}
            language="nginx"
          />
        </>
      )}
    </DataView>
  );
};
