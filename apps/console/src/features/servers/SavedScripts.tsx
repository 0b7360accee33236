/** The saved scripts, listed below the fixed commands. */
import { scripts } from '@quarterdeck/contract';
import { scriptKinds } from '@quarterdeck/projections';
import { IconFileCode } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { DataView } from '../../ui/DataView';
import { SearchField } from '../../ui/SearchField';
import { Note } from '../../ui/Note';
import { Section } from '../../ui/Card';
import { CommandButton, CommandButtons } from './CommandButton';

export interface SavedScript {
  id: string;
  name: string;
  version: number;
  /** Whether the script makes changes; `undefined` if unknown. */
  changes: boolean | undefined;
}

/** Number of scripts shown; the others are found by search. */
const SHOWN = 9;

export const SavedScripts = ({ onStart }: { onStart: (script: SavedScript) => void }) => {
  const [search, setSearch] = useState('');
  const asked = { sort: 'name', size: SHOWN, ...(search !== '' && { search }) };
  // Uses `data`, not `currentData`, so the search field and the previous results stay while the next ones load.
  const { data, error, refetch } = useAnswer(scripts.page, asked);
  return (
    <Section title="Saved scripts">
      <DataView query={{ data, error, refetch }} what="Scripts">
        {({ rows, found, total }) =>
          total === 0 ? (
            <Note below>
              No scripts yet. <Link to={paths.scriptAdd()}>Add script</Link>
            </Note>
          ) : (
            <>
              {total > SHOWN && (
                <SearchField label="Search scripts" value={search} onChange={setSearch} mb={8} />
              )}
              <CommandButtons>
                {rows.map(({ id, name, newest: { version, changes } }) => (
                  <CommandButton
                    key={id}
                    icon={IconFileCode}
                    name={name}
                    description={`${changes ? scriptKinds.changes : scriptKinds.reads}, version ${version}`}
                    changes={changes}
                    onClick={() => onStart({ id, name, version, changes })}
                  />
                ))}
              </CommandButtons>
              <Note below role="status">
                {rows.length < found
                  ? `${rows.length} of ${found.toLocaleString('en')} scripts. `
                  : found === 0 && 'No script matches. '}
                <Link to={paths.scripts()}>All scripts</Link>
              </Note>
            </>
          )
        }
      </DataView>
    </Section>
  );
};
