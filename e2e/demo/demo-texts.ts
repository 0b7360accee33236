/** Texts of the demo's shop: complete in English, and in other languages as far as its translators have come. */
import type { Operator } from '../../testing/operator';

/** Rows of the file that the demo imports. A last cell that is missing is a text that is missing. */
const TABLE = [
  ['key', 'en', 'fr', 'de', 'it', 'es', 'ar', 'ja', 'pt', 'ru'],
  ['basket.empty', 'Your basket is empty.', 'Votre panier est vide.', 'Ihr Warenkorb ist leer.', 'Il carrello è vuoto.', 'Tu cesta está vacía.', 'سلة التسوق فارغة.', 'カートは空です。', 'O seu carrinho está vazio.', 'Ваша корзина пуста.'],
  ['basket.items', '{count, plural, one {# item} other {# items}}', '{count, plural, one {# article} other {# articles}}', '{count, plural, one {# Artikel} other {# Artikel}}', '{count, plural, one {# articolo} other {# articoli}}', '{count, plural, one {# artículo} other {# artículos}}', '{count, plural, zero {لا عناصر} one {عنصر واحد} two {عنصران} few {# عناصر} many {# عنصرًا} other {# عنصر}}', '{count, plural, other {#点}}'],
  ['basket.remove', 'Remove', 'Retirer', 'Entfernen', 'Rimuovi', 'Quitar', 'إزالة', '削除', 'Remover', 'Удалить'],
  ['basket.total', 'Total: {amount, number}', 'Total : {amount, number}', 'Summe: {amount, number}', 'Totale: {amount, number}', 'Total: {amount, number}', 'المجموع: {amount, number}'],
  ['checkout.address', 'Delivery address', 'Adresse de livraison', 'Lieferadresse', 'Indirizzo di consegna', 'Dirección de entrega', 'عنوان التوصيل', '配送先'],
  ['checkout.card', 'Card number', 'Numéro de carte', 'Kartennummer', 'Numero della carta', 'Número de tarjeta', 'رقم البطاقة'],
  ['checkout.confirm', 'Order with obligation to pay', 'Commander avec obligation de paiement', 'Zahlungspflichtig bestellen', 'Ordina con obbligo di pagare', 'Pedido con obligación de pago'],
  ['checkout.terms', 'I accept the <a>terms</a>.', 'J’accepte les <a>conditions</a>.', 'Ich akzeptiere die AGB.', 'Accetto le <a>condizioni</a>.'],
  ['checkout.thanks', 'Thank you, {name}! Your order is on its way.', 'Merci {name} ! Votre commande est en route.', 'Vielen Dank! Ihre Bestellung ist unterwegs.', 'Grazie {name}! Il tuo ordine è in arrivo.', '¡Gracias, {name}! Tu pedido está en camino.', 'شكرًا {name}! طلبك في الطريق.'],
  ['error.payment', 'The card was refused. Nothing was charged.', 'La carte a été refusée. Rien n’a été débité.', 'Die Karte wurde abgelehnt. Es wurde nichts abgebucht.'],
  ['error.stock', 'Only {left, number} are left.', 'Il n’en reste que {left, number}.', 'Nur noch {left, number} verfügbar.', 'Ne restano solo {left, number}.'],
  ['menu.account', 'Account', 'Compte', 'Konto', 'Account', 'Cuenta', 'الحساب', 'アカウント', 'Conta', 'Аккаунт'],
  ['menu.search', 'Search', 'Rechercher', 'Suchen', 'Cerca', 'Buscar', 'بحث', '検索', 'Pesquisar', 'Поиск'],
  ['menu.sign-out', 'Sign out', 'Se déconnecter', 'Abmelden', 'Esci', 'Cerrar sesión', 'تسجيل الخروج', 'ログアウト', 'Terminar sessão', 'Выйти'],
  ['product.delivery', 'Delivered by {date, date, medium}', 'Livré le {date, date, medium}', 'Lieferung bis {date, date, medium}', 'Consegna entro il {date, date, medium}'],
  ['product.reviews', '{count, plural, =0 {No reviews yet} one {One review} other {# reviews}}', '{count, plural, =0 {Aucun avis} one {Un avis} other {# avis}}', '{count, plural, =0 {Noch keine Bewertungen} one {Eine Bewertung} other {# Bewertungen}}'],
  ['product.sold-out', 'Sold out', 'Épuisé', 'Ausverkauft', 'Esaurito', 'Agotado', 'نفدت الكمية', '売り切れ', 'Esgotado', 'Распродано'],
] as const; // prettier-ignore

const shopTexts = TABLE.map((row) => row.map(quoted).join(',')).join('\n');

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Key, English and French of the contents. */
const shopContents = [
  {
    key: 'delivery',
    en: '# Delivery\n\nWe deliver **within three days**, and free of charge from 50 EUR.\n\n- Parcels to an address or a locker\n- Furniture by appointment\n\nQuestions? Write to <mailto:help@shop.example>.\n',
    fr: '# Livraison\n\nNous livrons **sous trois jours**, gratuitement à partir de 50 EUR.\n\n- Colis à une adresse ou en consigne\n- Meubles sur rendez-vous\n',
  },
  {
    key: 'returns',
    en: '# Returns\n\nYou have 30 days:\n\n1. Print the label from [your orders](/orders).\n2. Bring the parcel to any post office.\n\n> We refund within a week.\n',
    fr: '',
  },
  {
    key: 'summer-sale',
    en: '## Summer sale\n\nUntil the end of August, *everything* in the garden is 20% off.\n',
    fr: '## Soldes d’été\n\nJusqu’à fin août, *tout* le jardin est à -20 %.\n',
  },
] as const;

/** Adds them to the product: by an import, and by hand what an import cannot do. */
export async function textsOf(by: Operator, product: string): Promise<void> {
  const post = async <T = unknown>(path: string, body: object): Promise<T> => {
    const answer = await by.post<T>(`i18n/${path}`, body);
    if (answer.status !== 200)
      throw new Error(`i18n/${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const place = { product: { id: product }, isCms: false };
  for (const { key, en, fr } of shopContents) {
    const texts = { en, ...(fr !== '' && { fr }) };
    await post('insert', { data: { key, ...place, isCms: true, texts } });
  }
  const file = { ...place, name: 'shop.csv', content: Buffer.from(shopTexts).toString('base64') };
  const { seen } = await post<{ seen: string }>('import/preview', file);
  await post('import', { ...file, seen });
  await reviewedAndOutdated(post, product);
}

type Post = <T = unknown>(path: string, body: object) => Promise<T>;
interface Key {
  id: string;
  key: string;
}
interface Detail {
  units: { id: string; language: { id: number }; revision: number }[];
}

const [ENGLISH, FRENCH, GERMAN] = [1, 2, 3];

/** As after some weeks of work: much is reviewed, and of one key the English text has changed since. */
async function reviewedAndOutdated(post: Post, product: string): Promise<void> {
  const keys = await imported(post, product);
  for (const { id } of keys.filter((_, at) => at % 2 === 0)) {
    const { units } = await post<Detail>('detail', { uuid: id, isCms: false });
    for (const unit of units.filter(({ language }) => [FRENCH, GERMAN].includes(language.id)))
      await post('review/unit', { id: unit.id, isReviewed: true });
  }
  const thanks = keys.find(({ key }) => key === 'checkout.thanks');
  if (!thanks) return;
  const { units } = await post<Detail>('detail', { uuid: thanks.id, isCms: false });
  const english = units.find(({ language }) => language.id === ENGLISH);
  if (english)
    await post('update/unit', {
      id: english.id,
      name: 'Thank you, {name}! We are packing your order {number}.',
    });
  await post('insert/comment', {
    uuid: thanks.id,
    text: 'Shown after the payment, and on top of the confirmation e-mail.',
  });
}

/** The keys, once the run of the import has added them. */
async function imported(post: Post, product: string): Promise<Key[]> {
  for (let patience = 600; patience > 0; patience -= 1) {
    const keys = await post<Key[]>('list', { id: product, isCms: false });
    if (keys.length === TABLE.length - 1) return keys;
    await new Promise((passed) => setTimeout(passed, 100));
  }
  throw new Error('the texts of the demo were not imported within a minute');
}
