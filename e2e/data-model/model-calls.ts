/** Calls of the data model, for tests that import, plan and apply. */
import type { RunView, HistoryView, UndoPreview } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';

type Ids = { id: string };

/** @param who signed in once the tests run */
export const modelCalls = (who: () => Operator) => {
  const post = <T = Ids>(path: string, body: object) => who().post<T>(`data-model/${path}`, body);
  const id = async (answer: Promise<{ status: number; body: Ids }>): Promise<string> => {
    const { status, body } = await answer;
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.id;
  };
  const runOf = async (run: string) => (await who().post<RunView>('run/detail', { id: run })).body;
  const endOf = async (run: string): Promise<RunView> => {
    await until(async () => !['requested', 'running'].includes((await runOf(run)).state));
    return runOf(run);
  };
  const applied = async (body: object): Promise<string> => {
    const runId = uuidv7();
    await id(post('version/apply', { ...body, runId }));
    expect(await endOf(runId)).toMatchObject({ state: 'succeeded' });
    return runId;
  };
  const newest = async (type: string): Promise<string> => {
    const list = await who().post<{ events: HistoryView[] }>('history/list', { types: [type], limit: 1 });
    return list.body.events[0]?.position ?? '';
  };
  const undone = async (position: string): Promise<UndoPreview> => {
    const { body } = await who().post<UndoPreview>('history/undo/preview', { position });
    if (body.refused === undefined)
      expect(await who().post('history/undo', { position, seen: body.seen })).toMatchObject({
        status: 200,
        body: { left: [] },
      });
    return body;
  };
  return { post, id, runOf, endOf, applied, newest, undone };
};
