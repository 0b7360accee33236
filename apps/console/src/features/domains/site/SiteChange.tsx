/** Previews a change of the live site: the text that would go live, compared with the live one. */
import { Alert } from '@mantine/core';
import { sites, type Sent } from '@quarterdeck/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { problemsInWords, type DomainView, type SiteOptions } from '@quarterdeck/projections';
import { useAnswer } from '../../../core/calls';
import { CodeDiff, CodeView } from '../../../ui/code';
import { DataView } from '../../../ui/DataView';
import { AfterAWhile, Loading } from '../../../ui/Loading';

type Lineage = Sent<typeof sites.generate>['lineage'];

export const useSiteChange = (
  { id, locations, names, drift }: DomainView,
  options: SiteOptions,
  { skip = false, lineage }: { skip?: boolean; lineage?: Lineage } = {},
) => {
  const query = useAnswer(sites.generate, { id, options, ...(lineage && { lineage }) }, { skip });
  // Keeps the text for other options until the answer for these arrives.
  const shown = query.isError ? query.currentData : (query.currentData ?? query.data);
  const problems = problemsInWords(shown?.problems ?? {}, locations, names);
  return {
    query: { ...query, currentData: shown },
    problems,
    /** The text that was shown and may go live. */
    known: query.isError ? undefined : query.currentData,
    /** Why it cannot be applied. */
    why: reasonNotToApply(drift !== undefined, problems.length > 0, query.isError),
  };
};

const reasonNotToApply = (drifted: boolean, wrong: boolean, failed: boolean): string | undefined => {
  if (failed) return 'The configuration could not be generated';
  if (wrong) return 'Fix the problems below first';
  return drifted ? 'The file on the server was changed: compare it under Configuration first' : undefined;
};

interface SiteChangeProps {
  serverName: string;
  change: ReturnType<typeof useSiteChange>;
  /** Shows one side below the other, even if there is room for both. */
  narrow?: boolean;
}

export const SiteChange = ({ serverName, change: { query, problems }, narrow = false }: SiteChangeProps) => (
  <>
    {problems.length > 0 && (
      <Alert
        role="alert"
        color="yellow"
        variant="light"
        mb="sm"
        icon={<IconAlertTriangle size={18} aria-hidden />}
        title="It cannot be applied"
      >
        {problems.map((sentence) => (
          <div key={sentence}>{sentence}</div>
        ))}
      </Alert>
    )}
    <DataView
      query={query}
      what="Configuration"
      // Without room: the text usually comes at once, and is much shorter or longer than a skeleton.
      loading={
        <AfterAWhile>
          <Loading label="Loading configuration" />
        </AfterAWhile>
      }
    >
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
            narrow={narrow}
          />
        )
      }
    </DataView>
  </>
);
