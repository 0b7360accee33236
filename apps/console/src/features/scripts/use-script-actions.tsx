import { scripts } from '@quarterdeck/contract';
import type { ScriptView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { confirmTyped } from '../../ui/confirm';
import { undoOf } from '../../records/history';
import { toast } from '../../ui/toast';

/** Deletes a script after its name was typed; a refusal is shown on the page. */
export const useScriptActions = ({ id, name }: ScriptView) => {
  const navigate = useNavigate();
  const [removeScript] = useChange(scripts.delete);
  const [failure, setFailure] = useState<{ what: string; error: ApiError }>();

  const remove = async (): Promise<void> => {
    const { confirmed, typed } = await confirmTyped({
      title: `Delete ${name}?`,
      body: 'It can no longer be run. Its runs and history stay, with the text of every version. Running work continues.',
      confirmLabel: 'Delete script',
      danger: true,
      typeToConfirm: name,
    });
    if (!confirmed) return;
    setFailure(undefined);
    try {
      await removeScript({ id, name: typed }).unwrap();
      toast.success(`${name} was deleted.`, undoOf({ category: 'script', id }));
      await navigate(paths.scripts());
    } catch (thrown) {
      setFailure({ what: `${name} could not be deleted`, error: toApiError(thrown) });
    }
  };

  return { remove, failure, dismiss: () => setFailure(undefined) };
};
