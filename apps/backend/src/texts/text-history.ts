/** What a key said in a language, and the way back. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, texts as calls } from '@quarterdeck/contract';
import { streamName, type LoggedEvent } from '@quarterdeck/events';
import type { TextUnit } from '@quarterdeck/projections';
import type { Language } from '@quarterdeck/texts';
import { readStreams } from '@quarterdeck/projections/runner';
import { askedInstant } from '../platform/as-of';
import { notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { storedText } from './texts.queries';
import { Texts } from './texts';
import { textDecider, type TextEvent, type TextState } from './texts.decider';

export type FormerTexts = Answer<typeof calls.historyOfUnit>;

const MAX_SHOWN = 200;

const unitIn = (state: TextState, language: Language): TextUnit | undefined =>
  state.is === 'unknown' ? undefined : state.units[language];

@Injectable()
export class TextHistory {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly texts: Texts,
  ) {}

  /** Newest first. */
  async of(id: string, language: Language, workspace: string): Promise<FormerTexts> {
    const found: FormerTexts = [];
    let state = textDecider.initial;
    for (const event of await this.eventsOf(id, workspace)) {
      const before = unitIn(state, language);
      state = textDecider.evolve(state, event as unknown as TextEvent);
      const now = unitIn(state, language);
      if (before?.text === now?.text && before?.isReviewed === now?.isReviewed) continue;
      const { at, actor: by } = event.meta;
      const isReviewed = now?.isReviewed ?? false;
      found.push({ revision: event.revision, ...(now && { name: now.text }), isReviewed, at, by });
    }
    return found.toReversed().slice(0, MAX_SHOWN);
  }

  /** @param revision of the key, after which the text was as it shall be */
  async restore(id: string, language: Language, revision: number, meta: CommandMeta) {
    const events = await this.eventsOf(id, meta.workspace);
    if (revision >= events.length) throw notFound('former text');
    const state = events
      .slice(0, revision + 1)
      .reduce(
        (before, event) => textDecider.evolve(before, event as unknown as TextEvent),
        textDecider.initial,
      );
    return this.texts.setUnit(id, language, unitIn(state, language)?.text, meta);
  }

  private async eventsOf(id: string, workspace: string): Promise<LoggedEvent[]> {
    if (!(await storedText(this.db, workspace, id))) throw notFound('text');
    const upTo = askedInstant.getStore()?.position;
    return (await readStreams(this.store, [streamName('text', id)], upTo)) as LoggedEvent[];
  }
}
