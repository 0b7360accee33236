/** Every version, and the difference between any two of them; the address names the two. */
import { Anchor, Box, Group, NativeSelect } from '@mantine/core';
import type { ScriptView } from '@quarterdeck/projections';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { LineDiff } from '../../ui/line-diff';
import { withParams } from '../../ui/params';
import { ChangesBadge } from './ChangesBadge';
import { comparedVersions, limitInWords, otherDifferences, type Version } from './script-words';
import { ScriptText } from './ScriptText';
import { Columns } from '../../ui/Columns';
import { Lines } from '../../ui/List';
import { Dim, Note } from '../../ui/Note';
import { Section } from '../../ui/Card';

export const VersionsTab = ({ script }: { script: ScriptView }) => {
  const [params, setParams] = useSearchParams();
  const { from, to } = comparedVersions(script, params.get('from'), params.get('to'));
  const compare = (before: number, after: number): void =>
    setParams((latest) => withParams(latest, { from: String(before), to: String(after) }), {
      preventScrollReset: true,
      replace: true,
    });
  const newestFirst = script.versions.toReversed();
  const choices = newestFirst.map(({ version }) => ({ value: String(version), label: `Version ${version}` }));
  return (
    <Columns widths="minmax(240px, 320px) minmax(0, 1fr)" gap={24}>
      <section aria-label="Versions">
        <Lines component="ol" reversed>
          {newestFirst.map((version) => (
            <VersionLine
              key={version.version}
              script={script}
              version={version}
              compared={version.version === to.version}
              onCompare={() => compare(Math.max(version.version - 1, 1), version.version)}
            />
          ))}
        </Lines>
      </section>
      <Section
        title={from.version === to.version ? `Version ${to.version}` : 'Difference'}
        miw={0}
        // A single version has nothing to be compared with.
        actions={
          choices.length > 1 && (
            <Group gap={8} c="dimmed">
              <NativeSelect
                size="xs"
                aria-label="From"
                data={choices}
                value={String(from.version)}
                onChange={(event) => compare(Number(event.currentTarget.value), to.version)}
              />
              <span>to</span>
              <NativeSelect
                size="xs"
                aria-label="To"
                data={choices}
                value={String(to.version)}
                onChange={(event) => compare(from.version, Number(event.currentTarget.value))}
              />
            </Group>
          )
        }
      >
        {otherDifferences(from, to).map((words) => (
          <Note mb={8} key={words}>
            {words}
          </Note>
        ))}
        {from.version === to.version ? (
          <ScriptText body={to.body} label={`${script.name}, version ${to.version}`} />
        ) : (
          <LineDiff
            before={from.body}
            after={to.body}
            label={`From version ${from.version} to version ${to.version}`}
            same="The text is the same."
          />
        )}
      </Section>
    </Columns>
  );
};

interface VersionLineProps {
  script: ScriptView;
  version: Version;
  compared: boolean;
  onCompare: () => void;
}

const VersionLine = ({ script, version, compared, onCompare }: VersionLineProps) => (
  <Box
    component="li"
    p="10px 12px"
    {...(compared && { bg: 'var(--qd-hover)' })}
    data-compared={compared || undefined}
  >
    <Anchor
      component="button"
      inherit
      fw={500}
      mih={24}
      type="button"
      onClick={onCompare}
      aria-pressed={compared}
    >
      Version {version.version}
    </Anchor>{' '}
    <Dim>
      <By id={version.by} at={version.at} />
    </Dim>
    <Group gap="4px 12px" mt={4}>
      <ChangesBadge changes={version.changes} />
      <Dim>at most {limitInWords(version.timeoutSeconds)}</Dim>
      <Link
        to={paths.fleet({ script: script.id, version: String(version.version) })}
        aria-label={`Run version ${version.version} on servers`}
      >
        Run on servers…
      </Link>
    </Group>
  </Box>
);
