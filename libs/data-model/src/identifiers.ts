/** Names of tables and columns that both engines accept, and that never need quotes in SQL. */
import { reservedWords } from './reserved-words';

/** PostgreSQL silently truncates names to 63 bytes. MySQL refuses names of more than 64 characters. */
const LONGEST = 63;
/** Prefix of the console's own tables, such as its journal. */
const OURS = 'quarterdeck_';

/** Every PostgreSQL table has these columns, so they cannot be added. */
const SYSTEM_COLUMNS = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'];

export const isReserved = (identifier: string): boolean => reservedWords.has(identifier.toLowerCase());

/** Why this cannot be the name of a table or a column; undefined if it can. */
export function identifierProblem(identifier: string, of: 'table' | 'column'): string | undefined {
  if (identifier === '') return `no name for the ${of} follows from this name: give the ${of} a name`;
  if (!/^[A-Za-z0-9_]*$/.test(identifier))
    return 'only the letters A to Z, digits and underscores are accepted';
  if (!/^[A-Za-z_]/.test(identifier)) return 'the first character has to be a letter or an underscore';
  if (identifier.length > LONGEST)
    return `at most ${LONGEST} characters are accepted: PostgreSQL cuts longer names, MySQL refuses names above 64`;
  if (isReserved(identifier))
    return `${identifier} is a reserved word of SQL: choose another name, such as ${identifier}_`;
  if (of === 'table' && identifier.toLowerCase().startsWith(OURS))
    return `names that begin with ${OURS} belong to the console`;
  if (of === 'column' && identifier.toLowerCase() === 'id')
    return 'every table already has a column id, its key';
  if (of === 'column' && SYSTEM_COLUMNS.includes(identifier.toLowerCase()))
    return `every table of PostgreSQL already has a column ${identifier.toLowerCase()}: choose another name`;
  return undefined;
}

/** A difference of models asks for the name of each column several times. */
const MAX_REMEMBERED = 50_000;

const remembered = (derive: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size === MAX_REMEMBERED) known.clear();
    const derived = derive(name);
    known.set(name, derived);
    return derived;
  };
};

export const tableFrom = remembered((name) => unreserved(snakeCase(name), (word) => word.startsWith(OURS)));

export const columnFrom = (name: string, isForeignKey: boolean): string =>
  isForeignKey ? keyColumnFrom(name) : plainColumnFrom(name);

const freeColumn = (word: string): string =>
  unreserved(word, (one) => one === 'id' || SYSTEM_COLUMNS.includes(one));

const plainColumnFrom = remembered((name) => freeColumn(snakeCase(name)));

const keyColumnFrom = remembered((name) => {
  const snake = snakeCase(name);
  return freeColumn(snake !== '' && !/(?:^|_)id$/.test(snake) ? `${shortened(snake, 3)}_id` : snake);
});

const unreserved = (word: string, isTaken: (word: string) => boolean): string =>
  isReserved(word) || isTaken(word)
    ? `${isTaken(word) ? 'the_' : ''}${word}${isReserved(word) ? '_' : ''}`
    : word;

/** `orderLine` and `Order line` become `order_line`, `HTTPOrder-Line` becomes `http_order_line`. */
function snakeCase(name: string): string {
  const words = plainLetters(name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return shortened(/^[0-9]/.test(words) ? `n${words}` : words, 5);
}

const shortened = (word: string, spare: number): string =>
  word.slice(0, LONGEST - spare).replaceAll(/_+$/g, '');

const SPELLED: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  å: 'a',
  Å: 'A',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
};

/** Removes accents. Letters of other scripts become separators. */
const plainLetters = (name: string): string =>
  name
    .normalize('NFC')
    .replaceAll(/[^ -~]/g, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
