/** Notifications of the demo's shop: one that is due, one to come, one that is over. */
import type { Operator } from '../../testing/operator';

const DAY_MS = 24 * 60 * 60 * 1000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

const TEXTS = {
  'notice.sale': {
    en: '# Sale\n\nEverything **20 % off** this week.',
    fr: '# Soldes\n\n**20 %** sur tout cette semaine.',
  },
  'notice.terms': { en: 'Our terms have changed. Please read them.' },
} as const;

export async function notificationsOf(by: Operator, product: string): Promise<void> {
  const post = async (path: string, data: object): Promise<string> => {
    const answer = await by.post<{ id: string }>(path, { data: { ...data, product: { id: product } } });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const ids: string[] = [];
  for (const [key, texts] of Object.entries(TEXTS))
    ids.push(await post('i18n/insert', { key, isCms: true, texts }));
  const [sale = '', terms = ''] = ids;
  const pending = { status: { id: 1 }, isValidationRequired: false, dateStart: '', dateEnd: '' };
  await post('notification/insert', {
    ...pending,
    type: { id: 1 },
    cms: { uuid: sale },
    dateStart: day(-1),
    dateEnd: day(6),
  });
  await post('notification/insert', {
    ...pending,
    type: { id: 2 },
    cms: { uuid: terms },
    isValidationRequired: true,
    dateStart: day(14),
  });
  await post('notification/insert', { ...pending, type: { id: 4 }, cms: { uuid: sale }, dateEnd: day(-30) });
}
