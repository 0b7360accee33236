/** Actions of the server menu. Each asks for confirmation and reports its failure on the page. */
import { domains, releases, servers } from '@quarterdeck/contract';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAsk, useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { confirmAction, confirmTyped } from '../../ui/confirm';
import { undoOf } from '../../records/history';
import { Holders } from '../../ui/Holders';
import { saveText } from '../../ui/save-text';
import { toast } from '../../ui/toast';
import { newRunId, runInTheWay } from '../../records/runs';
import { deletionWord, DOMAINS_NAMED, domainsThatGo, holderOf, servingWords } from './server-words';
import { setUpLabel, setUpQuestion, type SetUp } from './set-ups';

interface ActionFailure {
  what: string;
  error: ApiError;
  seeAlso?: { label: string; to: string };
}

export const useServerActions = (server: ServerView) => {
  const navigate = useNavigate();
  const [download, { reset }] = useChange(servers.download);
  const [askForDomains] = useAsk(domains.pageByServer);
  const [askForServing] = useAsk(releases.running);
  const [removeServer] = useChange(servers.delete);
  const [initialize] = useChange(servers.init);
  const [installDocker] = useChange(servers.installDocker);
  const setUps = { initializeServer: initialize, installDocker } satisfies Record<SetUp, unknown>;
  const [failure, setFailure] = useState<ActionFailure>();
  const { id, alias } = server;

  const downloadKey = async (): Promise<void> => {
    const sure = await confirmAction({
      title: `Download the private key of ${alias}?`,
      body: 'Anybody with this file can sign in to the server. The download is recorded in the history under your name.',
      confirmLabel: 'Download private key',
    });
    if (!sure) return;
    setFailure(undefined);
    try {
      const { filename, privateKey } = await download({ id }).unwrap();
      saveText(filename, privateKey);
      toast.success('The private key was downloaded. The download is in the history.');
    } catch (thrown) {
      setFailure({ what: 'The private key could not be downloaded', error: toApiError(thrown) });
    } finally {
      // Drop the key from the cache; it is only in the file now.
      reset();
    }
  };

  const setUp = async (what: SetUp): Promise<void> => {
    const label = setUpLabel(what);
    if (!(await confirmAction({ ...setUpQuestion(what, server), confirmLabel: label }))) return;
    setFailure(undefined);
    try {
      const { runId } = await setUps[what]({ id, runId: newRunId() }).unwrap();
      await navigate(paths.run(runId));
    } catch (thrown) {
      const error = toApiError(thrown);
      const other = runInTheWay(error.current);
      setFailure({
        what: `${label} was not started`,
        error,
        ...(other && { seeAlso: { label: 'Open the current run', to: paths.run(other) } }),
      });
    }
  };

  const remove = async (): Promise<void> => {
    // The server can be deleted even if its domains could not be loaded.
    const gone = await askForDomains({ server: { id }, sort: 'domain', size: DOMAINS_NAMED })
      .unwrap()
      .catch(() => undefined);
    const serving = await askForServing({ server: { id } })
      .unwrap()
      .catch(() => []);
    const going = domainsThatGo(gone);
    const { confirmed, typed } = await confirmTyped({
      title: `Delete ${alias}?`,
      held: serving.length > 0,
      body:
        serving.length > 0 ? (
          <>
            {servingWords(server, serving)}
            <Holders of={serving.map(holderOf)} />
          </>
        ) : (
          `${going}, and its private key is destroyed. Runs and history stay. Nothing is changed on the server itself.`
        ),
      confirmLabel: 'Delete server',
      danger: true,
      typeToConfirm: deletionWord(server),
    });
    if (!confirmed) return;
    setFailure(undefined);
    try {
      await removeServer({ id, alias: typed }).unwrap();
      toast.success(`${alias} was deleted.`, undoOf({ category: 'server', id }));
      await navigate(paths.servers());
    } catch (thrown) {
      setFailure({ what: `${alias} could not be deleted`, error: toApiError(thrown) });
    }
  };

  return { setUp, downloadKey, remove, failure, dismiss: () => setFailure(undefined) };
};
