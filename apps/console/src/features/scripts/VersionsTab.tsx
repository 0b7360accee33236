/** Every version, and the difference between any two of them; the address names the two. */
import { NativeSelect } from '@mantine/core';
import type { ScriptView } from '@quarterdeck/projections';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { LineDiff } from '../../ui/line-diff';
import { withParams } from '../../ui/params';
import { ChangesBadge } from './ChangesBadge';
import { comparedVersions, limitInWords, otherDifferences, type Version } from './script-words';
import { ScriptText } from './ScriptText';
import classes from './scripts.module.css';

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
    <div className={classes.versions}>
      <section aria-label="Versions">
        <ol className={classes.list} reversed>
          {newestFirst.map((version) => (
            <VersionLine
              key={version.version}
              script={script}
              version={version}
              compared={version.version === to.version}
              onCompare={() => compare(Math.max(version.version - 1, 1), version.version)}
            />
          ))}
        </ol>
      </section>
      <section aria-label="Difference" className={classes.difference}>
        <div className={classes.head}>
          <h2>Difference</h2>
          <div className={classes.choice}>
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
          </div>
        </div>
        {otherDifferences(from, to).map((words) => (
          <p key={words} className={classes.hint}>
            {words}
          </p>
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
      </section>
    </div>
  );
};

interface VersionLineProps {
  script: ScriptView;
  version: Version;
  compared: boolean;
  onCompare: () => void;
}

const VersionLine = ({ script, version, compared, onCompare }: VersionLineProps) => (
  <li data-compared={compared || undefined}>
    <button type="button" className={classes.version} onClick={onCompare} aria-pressed={compared}>
      Version {version.version}
    </button>{' '}
    <span className={classes.hint}>
      <By id={version.by} at={version.at} />
    </span>
    <div className={classes.about}>
      <ChangesBadge changes={version.changes} />
      <span className={classes.hint}>at most {limitInWords(version.timeoutSeconds)}</span>
      <Link
        to={paths.fleet({ script: script.id, version: String(version.version) })}
        aria-label={`Run version ${version.version} on servers`}
      >
        Run on servers…
      </Link>
    </div>
  </li>
);
