// covers: I18N-01
import { unitsAfter } from '@quarterdeck/projections';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AddText,
  CommentOnText,
  ImportText,
  RemoveText,
  RemoveTextComment,
  RemoveTranslations,
  RestoreText,
  ReviewTranslation,
  ReviseText,
  textDecider,
  TranslateText,
  type TextEvent,
} from './texts.decider';

const id = '0193f0a0-0000-7000-8000-000000000005';
const product = '0193f0a0-0000-7000-8000-000000000001';
const comment = '0193f0a0-0000-7000-8000-000000000007';
const unit = (text: string) => ({ id: '0193f0a0-0000-5000-8000-000000000011', text });
const data = { product, key: 'title', isCms: false, texts: { en: unit('Order') } };
const added: TextEvent = { type: 'TextAdded', data };
const french: TextEvent = { type: 'TextTranslated', data: { texts: { fr: unit('Commande') } } };
const reviewed: TextEvent = { type: 'TranslationsReviewed', data: { languages: ['fr'] } };
const english = (text: string): TextEvent => ({
  type: 'TextTranslated',
  data: { texts: { en: unit(text) } },
});
const removed: TextEvent = { type: 'TextRemoved', data: { key: 'title' } };
const on = (...events: TextEvent[]) => given(textDecider, events);
const translate = (texts: Record<string, string>, isNew?: boolean) =>
  new TranslateText(
    id,
    {
      texts: Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, unit(text)])),
      ...(isNew !== undefined && { isNew }),
    },
    meta,
  );

test('a key is added once, with its texts', () => {
  on()
    .when(new AddText(id, data, meta))
    .then([added]);
  on(added)
    .when(new AddText(id, { ...data, key: 'other' }, meta))
    .thenRejected('conflict');
});

test('a text is set, and only what differs is recorded', () => {
  on(added)
    .when(translate({ fr: 'Commande' }, true))
    .then([french]);
  on(added, french)
    .when(translate({ fr: 'Commande', en: 'Order' }))
    .thenNothing();
  on(added, french)
    .when(translate({ fr: 'Autre' }, true))
    .thenRejected('invalid', /there is a text/);
  on(added)
    .when(translate({ fr: 'Commande' }, false))
    .thenRejected('notFound');
  on(added, removed)
    .when(translate({ fr: 'Commande' }))
    .thenRejected('notFound');
});

test('a translation is outdated once the English text changes, and current when that comes back', () => {
  const after = (...events: TextEvent[]) =>
    events.reduce(unitsAfter, {} as ReturnType<typeof unitsAfter>)['fr'];
  expect(after(added, french)).toEqual(unit('Commande'));
  expect(after(added, french, english('Purchase'))).toEqual({ ...unit('Commande'), of: 'Order' });
  expect(after(added, french, english('Purchase'), english('Cart'))).toMatchObject({ of: 'Order' });
  expect(after(added, french, english('Purchase'), english('Order'))).toEqual(unit('Commande'));
  const gone: TextEvent = { type: 'TranslationsRemoved', data: { languages: ['en'] } };
  expect(after(added, french, gone, english('Purchase'))).toMatchObject({ of: 'Order' });
  expect(after(added, french, english('Purchase'), reviewed)).toEqual({
    ...unit('Commande'),
    isReviewed: true,
  });
});

test('saving an outdated text as it is says that it fits', () => {
  on(added, french, english('Purchase'))
    .when(translate({ fr: 'Commande' }))
    .then([french]);
});

test('a text is reviewed, and that is taken back', () => {
  const review = (isReviewed: boolean) => new ReviewTranslation(id, { language: 'fr', isReviewed }, meta);
  on(added, french).when(review(true)).then([reviewed]);
  on(added, french, reviewed)
    .when(review(false))
    .then([{ type: 'TranslationsUnreviewed', data: { languages: ['fr'] } }]);
  on(added).when(review(true)).thenRejected('notFound');
});

test('a changed text is not reviewed any more', () => {
  const other: TextEvent = { type: 'TextTranslated', data: { texts: { fr: unit('Achat') } } };
  on(added, french, reviewed)
    .when(translate({ fr: 'Achat' }))
    .then([other]);
  on(added, french, reviewed, other)
    .when(new ReviewTranslation(id, { language: 'fr', isReviewed: false }, meta))
    .thenNothing();
});

test('texts in languages go, the key stays', () => {
  on(added, french)
    .when(new RemoveTranslations(id, { languages: ['fr', 'de'] }, meta))
    .then([{ type: 'TranslationsRemoved', data: { languages: ['fr'] } }]);
  on(added)
    .when(new RemoveTranslations(id, { languages: ['fr'] }, meta))
    .thenRejected('notFound');
});

test('a key is renamed only with a claim of the new one', () => {
  on(added)
    .when(new ReviseText(id, { key: 'heading' }, meta))
    .thenRejected('conflict', /not reserved/);
  on(added)
    .when(new ReviseText(id, { key: 'heading', isIcu: false, nameClaimed: true }, meta))
    .then([
      { type: 'TextRenamed', data: { key: 'heading' } },
      { type: 'TextFormatChanged', data: { isIcu: false } },
    ]);
});

test('a key is removed and restored with its texts', () => {
  on(added)
    .when(new RemoveText(id, {}, meta))
    .then([removed]);
  on(added, removed)
    .when(new RestoreText(id, {}, meta))
    .then([{ type: 'TextRestored', data: { key: 'title' } }]);
  on()
    .when(new RestoreText(id, {}, meta))
    .thenRejected('notFound');
});

test('comments are added and removed', () => {
  const commented: TextEvent = {
    type: 'TextCommented',
    data: { comment, text: 'Short, please', language: 'fr' },
  };
  on(added)
    .when(new CommentOnText(id, commented.data, meta))
    .then([commented]);
  on(added, commented)
    .when(new RemoveTextComment(id, { comment }, meta))
    .then([{ type: 'TextCommentRemoved', data: { comment } }]);
  on(added)
    .when(new RemoveTextComment(id, { comment }, meta))
    .thenRejected('notFound');
});

describe('an import', () => {
  const ofKey = (edits: Record<string, { from?: string; to?: string }>) =>
    new ImportText(
      id,
      {
        product,
        isCms: false,
        key: 'title',
        edits: Object.fromEntries(
          Object.entries(edits).map(([code, one]) => [code, { id: unit('').id, ...one }]),
        ),
      },
      meta,
    );

  test('adds a key', () =>
    on()
      .when(ofKey({ en: { to: 'Order' } }))
      .then([added]));

  test('sets and removes texts of a key', () =>
    on(added, french)
      .when(ofKey({ en: { from: 'Order', to: 'Purchase' }, fr: { from: 'Commande' } }))
      .then([english('Purchase'), { type: 'TranslationsRemoved', data: { languages: ['fr'] } }]));

  test('leaves a text that has changed since it was reviewed', () => {
    on(added, french)
      .when(ofKey({ fr: { to: 'Achat' } }))
      .thenNothing();
    on(added, french)
      .when(ofKey({ fr: { from: 'Autre', to: 'Achat' } }))
      .thenNothing();
    on(added, french)
      .when(ofKey({ fr: { from: 'Autre' } }))
      .thenNothing();
    on(added, removed)
      .when(ofKey({ fr: { to: 'Achat' } }))
      .thenRejected('conflict', /removed/);
    on(added, { type: 'TextRenamed', data: { key: 'heading' } })
      .when(ofKey({ fr: { to: 'Achat' } }))
      .thenRejected('conflict', /renamed to heading/);
  });
});

test('an editor of one language is disturbed only by changes of that language', () => {
  const asked = translate({ fr: 'Achat' });
  expect(textDecider.clashes?.('TextTranslated', asked, french.data)).toBe(true);
  expect(textDecider.clashes?.('TextTranslated', asked, english('Purchase').data)).toBe(false);
  expect(textDecider.clashes?.('TranslationsRemoved', asked, { languages: ['fr'] })).toBe(true);
  expect(textDecider.clashes?.('TextCommented', asked, { comment, text: '', language: 'fr' })).toBe(false);
  expect(textDecider.clashes?.('TextRenamed', asked, { key: 'x' })).toBe(false);
  const rename = new ReviseText(id, { key: 'heading' }, meta);
  expect(textDecider.clashes?.('TextRenamed', rename, { key: 'x' })).toBe(true);
  expect(textDecider.clashes?.('TextTranslated', rename, french.data)).toBe(false);
});
