/** How tests carry out creations: an operator sends sections, and waits for their ends. */
import type { CreationSectionView, CreationView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/operator';
import { until } from '../../testing/patience';

export type Sent = Record<string, unknown>;

export const detailOf = async (by: Operator, id: string): Promise<CreationView> =>
  (await by.post<CreationView>('creation/detail', { id })).body;

export const sectionOf = async (by: Operator, id: string, name: string): Promise<CreationSectionView> => {
  const found = (await detailOf(by, id)).sections.find(({ section }) => section === name);
  if (!found) throw new Error(`no section ${name}`);
  return found;
};

/** Waits until the section is no longer in progress. */
export const settled = async (by: Operator, id: string, name: string): Promise<CreationSectionView> => {
  let found: CreationSectionView | undefined;
  await until(async () => {
    found = await sectionOf(by, id, name).catch(() => undefined);
    return found !== undefined && found.state !== 'running' && found.state !== 'undoing';
  });
  return found as CreationSectionView;
};

export const begin = async (
  by: Operator,
  kind: 'product' | 'container',
  values: Sent | undefined,
  headers: Record<string, string> = {},
): Promise<string> => {
  const answer = await by.post<{ id: string }>('creation/start', { kind, values }, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.id;
};

/** Waits for the first section. */
export const begun = async (by: Operator, id: string): Promise<CreationSectionView> => {
  const [first] = (await detailOf(by, id)).sections;
  const ended = await settled(by, id, first?.section ?? '');
  expect(ended).toMatchObject({ state: 'done' });
  return ended;
};

export const start = (by: Operator, id: string, section: string, values: Sent | undefined) =>
  by.post<{ runId: string }>('creation/section/start', { id, section, values });

/** Starts each section once the one before is done. */
export const complete = async (by: Operator, id: string, sections: Record<string, Sent>): Promise<void> => {
  await begun(by, id);
  for (const [section, values] of Object.entries(sections)) {
    expect(await start(by, id, section, values)).toMatchObject({ status: 200 });
    const { state, reason } = await settled(by, id, section);
    expect([section, state, reason]).toEqual([section, 'done', undefined]);
  }
};

/** @param typed names of what is deleted at a provider, by section */
export const undo = async (
  by: Operator,
  id: string,
  sections: readonly string[],
  typed: Record<string, string> = {},
): Promise<void> => {
  for (const section of sections) {
    const asked = { id, section, name: typed[section] };
    expect(await by.post('creation/section/undo', asked)).toMatchObject({ status: 200 });
    expect(await settled(by, id, section)).toMatchObject({ section, state: 'idle', made: [] });
  }
};
