/** Choice of a fixed command or a saved script. The URL holds the choice, so it can be linked to. */
import { Box, Flex, NativeSelect, SegmentedControl } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../core/paths';
import { scriptChoices } from '../../records/choices';
import { changing, looking, type Command } from '../../records/commands';
import { ChoiceInput, useChosen } from '../../ui/choice';
import { withParams } from '../../ui/params';
import { newestVersion, type Work } from './work';
import { Note } from '../../ui/Note';

interface WorkChoiceProps {
  work: Work | undefined;
}

const entries = (commands: readonly Command[]) =>
  commands.map(({ cmdType, label }) => ({ value: String(cmdType), label }));

export const WorkChoice = ({ work }: WorkChoiceProps) => {
  const [params, setParams] = useSearchParams();
  const kind = params.has('script') ? 'script' : 'command';
  const choose = (next: Record<string, string>): void =>
    setParams(
      (before) => withParams(before, { cmdType: undefined, script: undefined, version: undefined, ...next }),
      { preventScrollReset: true, replace: true },
    );
  return (
    <Flex gap="12px 16px" align="flex-start" wrap="wrap">
      <SegmentedControl
        aria-label="What to run"
        size="sm"
        value={kind}
        onChange={(to) => choose(to === 'script' ? { script: '' } : {})}
        data={[
          { value: 'command', label: 'Command' },
          { value: 'script', label: 'Saved script' },
        ]}
      />
      {kind === 'command' ? (
        <NativeSelect
          miw="min(280px, 100%)"
          label="Command"
          description={work?.is === 'command' ? work.command.description : 'One of the ten fixed commands'}
          inputWrapperOrder={['label', 'input', 'description']}
          value={work?.is === 'command' ? String(work.command.cmdType) : ''}
          onChange={(event) => choose({ cmdType: event.currentTarget.value })}
          data={[
            { value: '', label: 'Choose …', disabled: true },
            { group: 'Read-only', items: entries(looking) },
            { group: 'Makes changes, needs confirmation', items: entries(changing) },
          ]}
        />
      ) : (
        <ScriptChoice work={work} script={params.get('script') ?? ''} onChoose={choose} />
      )}
    </Flex>
  );
};

interface ScriptChoiceProps extends WorkChoiceProps {
  /** Id of the script, or `''`. */
  script: string;
  onChoose: (next: Record<string, string>) => void;
}

const ScriptChoice = ({ work, script, onChoose }: ScriptChoiceProps) => {
  const { isEmpty } = useChosen(scriptChoices, script);
  if (isEmpty)
    return (
      <Note>
        No script is saved yet. <Link to={paths.scriptAdd()}>Add one</Link>
      </Note>
    );
  const chosen = work?.is === 'script' ? work : undefined;
  const newest = chosen ? newestVersion(chosen.script) : 0;
  return (
    <>
      <Box miw="min(280px, 100%)">
        <ChoiceInput
          label="Script"
          description={
            chosen && <Link to={paths.script(chosen.script.id, 'versions')}>Review the script</Link>
          }
          from={scriptChoices}
          empty="Choose …"
          value={script}
          onChange={(id) => onChoose({ script: id })}
        />
      </Box>
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
