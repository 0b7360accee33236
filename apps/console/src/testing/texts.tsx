/** Texts as the back end answers, and the page that shows them. */
import { textStates, type TextState } from '@quarterdeck/events/inputs';
import type { TextRow, TextUnitView, TextView } from '@quarterdeck/projections';
import { languages, type Language } from '@quarterdeck/texts/languages';
import { Texts } from '../features/texts';
import { answerWith, type Call } from './network';
import { pagesOf } from './pages';
import { renderPage, sessionOf } from './render';

export const PRODUCT = '01930000-0000-7000-8000-000000000701';
export const TEXT = '01930000-0000-7000-8000-000000000702';
const ADA = sessionOf().profile.id;
const at = '2026-11-20T12:00:00.000Z';
const changed = { changedAt: at, changedBy: ADA, revision: 3 };

export const unitOf = (code: Language, name: string, more: Partial<TextUnitView> = {}): TextUnitView => {
  const id = languages.findIndex((one) => one.code === code) + 1;
  return {
    id: `01930000-0000-7000-8000-0000000008${String(id).padStart(2, '0')}`,
    name,
    language: { id, name: languages[id - 1]?.name ?? '' },
    state: 'translated',
    isReviewed: false,
    ...changed,
    ...more,
  };
};

const lettersOf = (units: readonly TextUnitView[]): string =>
  languages
    .map((_, index): TextState => units.find(({ language }) => language.id === index + 1)?.state ?? 'missing')
    .map((state) => textStates[state])
    .join('');

export const rowOf = (more: Partial<TextRow> = {}): TextRow => ({
  id: TEXT,
  uuid: TEXT,
  key: 'basket.total',
  english: 'Total: {amount}',
  isCms: false,
  isIcu: true,
  states: lettersOf([]),
  ...changed,
  ...more,
});

export const textOf = (units: readonly TextUnitView[], more: Partial<TextView> = {}): TextView => ({
  ...rowOf({ states: lettersOf(units) }),
  product: { id: PRODUCT },
  units: [...units],
  comments: [],
  addedAt: at,
  addedBy: ADA,
  ...more,
});

interface Options {
  at?: string;
  role?: 'admin' | 'member';
  isCms?: boolean;
}

const columns = [
  { id: 'key', value: ({ key }: TextRow) => key },
  { id: 'english', value: ({ english }: TextRow) => english },
];

/** The list of texts is at `/`. */
export const openTexts = (
  handlers: Parameters<typeof answerWith>[0],
  { at: address = '/', role = 'member', isCms = false }: Options = {},
) => {
  const network = answerWith({
    'POST /api/person/list': { body: [] },
    'POST /api/person/names': { body: [] },
    'POST /api/i18n/page': pagesOf(columns, [rowOf()]),
    ...handlers,
  });
  const view = renderPage(
    <Texts base="" otherBase="/other" product={{ id: PRODUCT, name: 'Shop' }} isCms={isCms} />,
    {
      at: address,
      session: sessionOf(role),
    },
  );
  const sent = (path: string): unknown[] =>
    network.calls.filter((call: Call) => call.path === `/api/i18n/${path}`).map(({ body }) => body);
  return { ...network, ...view, sent };
};

export { columns as textColumns };
