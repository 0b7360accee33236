/** What the locations and options make of the configuration, against what is live; and the button that makes it live. */
import { Alert, Button, Checkbox } from '@mantine/core';
import { IconAlertTriangle, IconCloudUpload } from '@tabler/icons-react';
import type { DomainView } from '@quarterdeck/projections';
import { Changes } from '../../../app/past/Changes';
import { CodeDiff, CodeView } from '../../../ui/code';
import { confirmAction } from '../../../ui/confirm';
import { DataView } from '../../../ui/DataView';
import classes from '../domains.module.css';
import { problemsInWords } from '../problem-words';
import { useApplySiteMutation, useGeneratedQuery, type Generated as Text } from '../site.endpoints';
import type { DomainRuns } from '../use-domain-runs';
import { optionNames, optionsInWords, optionWords, useSiteOptions } from './use-site-options';

export const Generated = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => {
  const { id, serverName, server, drift } = domain;
  const [options, change] = useSiteOptions(domain);
  const query = useGeneratedQuery({ id, options });
  const [apply] = useApplySiteMutation();
  const alias = server.alias ?? 'the server';

  const onApply = async ({ applied, sha256: seen }: Text): Promise<void> => {
    const sure = await confirmAction({
      title: `Apply the configuration of ${serverName}?`,
      body: `It is written on ${alias} (${optionsInWords(options)}), tested there by nginx itself, and goes live only when nginx accepts it. ${applied === null ? 'Nothing was applied before.' : 'What is live now is put back when it does not.'}`,
      confirmLabel: 'Apply',
    });
    if (!sure) return;
    await runs.start(`The configuration of ${serverName} was not applied`, (runId) =>
      apply({ id, options, seen, runId }).unwrap(),
    );
  };

  // Of other options only until the answer to these is there.
  const shown = query.isError ? query.currentData : (query.currentData ?? query.data);
  // What is applied has been looked at.
  const known = query.isError ? undefined : query.currentData;
  const problems = problemsInWords(shown?.problems ?? {}, domain.locations);
  const why = reasonNotToApply(runs.busy, drift !== undefined, problems.length > 0, query.isError);
  return (
    <section className={classes.card} aria-label="Generated configuration">
      <div className={classes.cardHead}>
        <h2>Generated from locations and options</h2>
        <Changes>
          <Button
            size="compact-md"
            leftSection={<IconCloudUpload size={15} aria-hidden />}
            loading={query.isFetching}
            disabled={!known || why !== undefined}
            title={why}
            onClick={() => known && void onApply(known)}
          >
            Apply
          </Button>
        </Changes>
      </div>
      <div className={classes.options} role="group" aria-label="Options">
        {optionNames.map((name) => (
          <Checkbox
            key={name}
            label={optionWords[name].label}
            description={optionWords[name].help}
            checked={options[name]}
            onChange={(event) => change(name, event.currentTarget.checked)}
          />
        ))}
      </div>
      {drift && (
        <p className={classes.hint}>
          The file on {alias} is another than the one that was applied: decide below what is to become of it.
        </p>
      )}
      {problems.length > 0 && (
        <Alert
          role="alert"
          color="yellow"
          variant="light"
          mb="sm"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="It cannot be applied like this"
        >
          {problems.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Alert>
      )}
      <DataView query={{ ...query, currentData: shown }} what="Configuration">
        {({ nginxStatement, applied }) =>
          nginxStatement === '' ? null : applied === null ? (
            <CodeView
              text={nginxStatement}
              label="Generated"
              language="nginx"
              filename={`${serverName}.conf`}
            />
          ) : (
            <CodeDiff
              before={applied}
              after={nginxStatement}
              sides={{ before: 'Live', after: 'Generated' }}
              language="nginx"
              filename={`${serverName}.conf`}
            />
          )
        }
      </DataView>
    </section>
  );
};

const reasonNotToApply = (
  busy: boolean,
  drifted: boolean,
  wrong: boolean,
  failed: boolean,
): string | undefined => {
  if (busy) return 'A run of this domain is under way';
  if (failed) return 'It could not be generated: nobody knows what would be applied';
  if (wrong) return 'Mend what is named below first';
  return drifted
    ? 'The file on the server is not as it was applied: choose below what becomes of it'
    : undefined;
};
