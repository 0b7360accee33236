/** A fixed command or a saved script. The choice stands in the address, so that it can be linked to. */
import { NativeSelect, SegmentedControl } from '@mantine/core';
import type { ScriptView } from '@quarterdeck/projections';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { changing, looking, type Command } from '../../records/commands';
import classes from './fleet.module.css';
import { newestVersion, type Work } from './work';

interface WorkChoiceProps {
  work: Work | undefined;
  scripts: readonly ScriptView[] | undefined;
}

const entries = (commands: readonly Command[]) =>
  commands.map(({ cmdType, label }) => ({ value: String(cmdType), label }));

export const WorkChoice = ({ work, scripts }: WorkChoiceProps) => {
  const [params, setParams] = useSearchParams();
  const kind = params.has('script') ? 'script' : 'command';
  const choose = (next: Record<string, string>): void =>
    setParams(
      (before) => {
        const kept = new URLSearchParams(before);
        for (const name of ['cmdType', 'script', 'version']) kept.delete(name);
        for (const [name, value] of Object.entries(next)) kept.set(name, value);
        return kept;
      },
      { preventScrollReset: true, replace: true },
    );
  return (
    <div className={classes.work}>
      <SegmentedControl
        aria-label="What to run"
        size="sm"
        value={kind}
        onChange={(to) => choose(to === 'script' ? { script: scripts?.[0]?.id ?? '' } : {})}
        data={[
          { value: 'command', label: 'Fixed command' },
          { value: 'script', label: 'Saved script' },
        ]}
      />
      {kind === 'command' ? (
        <NativeSelect
          className={classes.select}
          label="Command"
          description={work?.is === 'command' ? work.command.tells : 'One of the ten fixed commands'}
          inputWrapperOrder={['label', 'input', 'description']}
          value={work?.is === 'command' ? String(work.command.cmdType) : ''}
          onChange={(event) => choose({ cmdType: event.currentTarget.value })}
          data={[
            { value: '', label: 'Choose …', disabled: true },
            { group: 'Look', items: entries(looking) },
            { group: 'Change, asks first', items: entries(changing) },
          ]}
        />
      ) : (
        <ScriptChoice work={work} scripts={scripts} onChoose={choose} />
      )}
    </div>
  );
};

interface ScriptChoiceProps extends WorkChoiceProps {
  onChoose: (next: Record<string, string>) => void;
}

const ScriptChoice = ({ work, scripts, onChoose }: ScriptChoiceProps) => {
  if (scripts?.length === 0)
    return (
      <p className={classes.hint}>
        No script is saved yet. <Link to={paths.scriptAdd()}>Add one</Link>
      </p>
    );
  const chosen = work?.is === 'script' ? work : undefined;
  const newest = chosen ? newestVersion(chosen.script) : 0;
  return (
    <>
      <NativeSelect
        className={classes.select}
        label="Script"
        description={
          chosen && <Link to={paths.script(chosen.script.id, 'versions')}>Read it before you run it</Link>
        }
        inputWrapperOrder={['label', 'input', 'description']}
        value={chosen?.script.id ?? ''}
        onChange={(event) => onChoose({ script: event.currentTarget.value })}
        data={[
          { value: '', label: scripts ? 'Choose …' : 'Loading …', disabled: true },
          ...(scripts ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {chosen && (
        <NativeSelect
          label="Version"
          value={String(chosen.version)}
          onChange={(event) => onChoose({ script: chosen.script.id, version: event.currentTarget.value })}
          data={Array.from({ length: newest }, (_, at) => ({
            value: String(newest - at),
            label: at === 0 ? `${newest - at} (newest)` : String(newest - at),
          }))}
        />
      )}
    </>
  );
};
