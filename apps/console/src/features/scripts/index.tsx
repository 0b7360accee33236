/** The saved scripts of the workspace: a list, and a page with every version and every run. */
import { script } from '@quarterdeck/events';
import { scriptColumns, type ScriptRow, type ScriptView } from '@quarterdeck/projections';
import { IconFileCode, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { RecordArea, type View } from '../../records/kit';
import { Action } from '../../ui/Action';
import type { Column } from '../../ui/DataTable';
import { RelativeTime } from '../../ui/RelativeTime';
import { ChangesBadge } from './ChangesBadge';
import { Overview } from './Overview';
import { limitInWords, newestOf } from './script-words';
import { ScriptRuns } from './ScriptRuns';
import { VersionsTab } from './VersionsTab';

const scriptOf = (view: View) => view as unknown as ScriptView;

const [name, changes, version, limit] = scriptColumns;
const columns: readonly Column<ScriptRow>[] = [
  { ...name, header: 'Name', priority: 1 },
  {
    ...changes,
    header: 'Effect',
    cell: ({ newest }) => <ChangesBadge changes={newest.changes} />,
    priority: 2,
  },
  { ...version, header: 'Version', align: 'right', width: '1%' },
  {
    ...limit,
    header: 'Time limit',
    cell: ({ newest }) => limitInWords(newest.timeoutSeconds),
    align: 'right',
    width: '1%',
  },
];

const keyFacts = (view: View) => {
  const newest = newestOf(scriptOf(view));
  return [
    {
      label: 'Version',
      value: (
        <>
          {newest.version}, <RelativeTime at={newest.at} />
        </>
      ),
    },
    { label: 'Time limit', value: limitInWords(newest.timeoutSeconds) },
    { label: 'Last changed', value: <By id={view.changedBy} at={view.changedAt} /> },
  ];
};

export default function Scripts() {
  return (
    <RecordArea
      noun={script}
      icon={IconFileCode}
      description="Scripts that you run on servers. Every version is kept, and each run names its version."
      empty="Save a script to run it on any number of servers and compare the results."
      addNote="Saving does not run it."
      columns={columns as unknown as readonly Column<View>[]}
      rowActions={({ id, name: called }) => (
        <Link to={paths.fleet({ script: id })} aria-label={`Run ${String(called)} on servers`}>
          Run on servers…
        </Link>
      )}
      question="It can no longer be run."
      consequences="Its runs and history stay, with the text of every version. Running work continues."
      badge={(view) => <ChangesBadge changes={newestOf(scriptOf(view)).changes} />}
      facts={keyFacts}
      primary={({ id }) => (
        <Action icon={IconPlayerPlay} does={paths.fleet({ script: id })}>
          Run on servers…
        </Action>
      )}
      overview={(view) => <Overview script={scriptOf(view)} />}
      tabs={({ view }) => [
        {
          id: 'versions',
          label: `Versions (${scriptOf(view).versions.length})`,
          content: () => <VersionsTab script={scriptOf(view)} />,
        },
        { id: 'runs', label: 'Runs', content: () => <ScriptRuns script={scriptOf(view)} /> },
      ]}
    />
  );
}
