/** Actions of the server menu. Each asks for confirmation and reports its failure on the page. */
import { domains, deploys, servers } from '@quarterdeck/contract';
import type { ServerView } from '@quarterdeck/projections';
import { useAsk, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import type { ConfirmOptions } from '../../ui/confirm';
import { undoOf } from '../../records/history';
import { Holders } from '../../ui/Holders';
import { saveText } from '../../ui/save-text';
import { useAction } from '../../ui/use-action';
import { newRunId, runInTheWay } from '../../records/runs';
import { deletionWord, DOMAINS_NAMED, domainsThatGo, holderOf, servingWords } from './server-words';
import { setUpLabel, setUpQuestion, type SetUp } from './set-ups';

export const useServerActions = (server: ServerView) => {
  const [download, { reset }] = useChange(servers.download);
  const [askForDomains] = useAsk(domains.pageByServer);
  const [askForServing] = useAsk(deploys.running);
  const [removeServer] = useChange(servers.delete);
  const [initialize] = useChange(servers.init);
  const [installDocker] = useChange(servers.installDocker);
  const setUps = { initializeServer: initialize, installDocker } satisfies Record<SetUp, unknown>;
  const { act, failure, dismiss } = useAction();
  const { id, alias } = server;

  const downloadKey = () =>
    act({
      ask: {
        title: `Download the private key of ${alias}?`,
        body: 'Anybody with this file can sign in to the server. The download is recorded in the history under your name.',
        confirmLabel: 'Download private key',
      },
      send: async () => {
        const { filename, privateKey } = await download({ id })
          .unwrap()
          // Drop the key from the cache; it is only in the file now.
          .finally(reset);
        saveText(filename, privateKey);
      },
      done: 'The private key was downloaded. The download is in the history.',
      failed: 'The private key could not be downloaded',
    });

  const setUp = (what: SetUp) => {
    const label = setUpLabel(what);
    const runId = newRunId();
    return act({
      ask: { ...setUpQuestion(what, server), confirmLabel: label },
      send: () => setUps[what]({ id, runId }).unwrap(),
      failed: `${label} was not started`,
      to: paths.run(runId),
    });
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
    const ask: ConfirmOptions = {
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
    };
    await act({
      ask,
      send: (typed) => removeServer({ id, alias: typed }).unwrap(),
      done: `${alias} was deleted.`,
      offer: undoOf({ category: 'server', id }),
      failed: `${alias} could not be deleted`,
      to: paths.servers(),
    });
  };

  const other = runInTheWay(failure?.error.current);
  const seeAlso = other === undefined ? undefined : { label: 'Open the current run', to: paths.run(other) };
  return { setUp, downloadKey, remove, failure: failure && { ...failure, seeAlso }, dismiss };
};
