/** Reads `SHOW CREATE TABLE` of MySQL and MariaDB: a table as an import describes it. */
import type { NativePart } from './model';
import { withNames } from './native';
import type { ExactColumn, ExactTable } from './structure';

export interface ExactColumnLine {
  readonly name: string;
  readonly required: boolean;
  readonly native: ExactColumn;
}

export interface ReadTable {
  readonly columns: readonly ExactColumnLine[];
  readonly native: Omit<ExactTable['native'], 'as'>;
}

const NAME = '`((?:[^`]|``)*)`';
const plain = (name: string): string => name.replaceAll('``', '`');

const COLUMN = new RegExp(`^${NAME} ([\\s\\S]*)$`);
const KEY = new RegExp(`^(PRIMARY KEY|(?:UNIQUE |FULLTEXT |SPATIAL )?KEY ${NAME}) ([\\s\\S]*)$`);
const FOREIGN = new RegExp(
  `^CONSTRAINT ${NAME} FOREIGN KEY (\\([^)]*\\)) REFERENCES ((?:${NAME}\\.)?${NAME}) (\\([^)]*\\)) ?([\\s\\S]*)$`,
);
const CHECK = new RegExp(`^CONSTRAINT ${NAME} CHECK ([\\s\\S]*)$`);
const PERIOD = new RegExp(`^PERIOD FOR (?:SYSTEM_TIME|${NAME}) (\\([\\s\\S]*\\))$`);
const TYPE =
  /^\w+(?: precision)?(?:\((?:'(?:[^'\\]|''|\\[\s\S])*'|[^')])*\))?(?: unsigned)?(?: zerofill)?(?: CHARACTER SET \w+)?(?: COLLATE \w+)?/;

const KINDS: Readonly<Record<string, NativePart['kind']>> = {
  KEY: 'index',
  'UNIQUE KEY': 'unique',
  'FULLTEXT KEY': 'fulltext',
  'SPATIAL KEY': 'spatial',
};

/** `(a, b)` as names; undefined if it has anything but whole columns. */
const namesIn = (list: string): string[] | undefined =>
  new RegExp(`^\\(${NAME}(?:, ?${NAME})*\\)$`).test(list)
    ? [...list.matchAll(new RegExp(NAME, 'g'))].map(([, name = '']) => plain(name))
    : undefined;

/** The widths that older servers print are those of the type. */
const WIDTHS =
  /^(?:tinyint\(4\)|smallint\(6\)|mediumint\(9\)|int\(11\)|bigint\(20\))(?! unsigned)|^(?:tinyint\(3\)|smallint\(5\)|mediumint\(8\)|int\(10\)|bigint\(20\))(?= unsigned(?! zerofill))/;

export function readMysqlTable(statement: string): ReadTable {
  const { lines, options } = linesOf(statement);
  const columns: ExactColumnLine[] = [];
  const names = new Set(lines.flatMap((line) => plain(COLUMN.exec(line)?.[1] ?? '') || []));
  const placed = (text: string): string =>
    withNames(text, 'mysql', (name) => (names.has(name) ? name : undefined));
  const parts: NativePart[] = [];
  for (const line of lines) {
    const [, column, definition = ''] = COLUMN.exec(line) ?? [];
    if (column !== undefined) {
      columns.push(columnOf(plain(column), definition, placed));
      continue;
    }
    const [, word, key = '', list = ''] = KEY.exec(line) ?? [];
    if (word !== undefined) {
      const kind = word === 'PRIMARY KEY' ? 'key' : (KINDS[word.slice(0, word.indexOf('`') - 1)] ?? 'index');
      const whole = namesIn(list);
      parts.push({
        kind,
        name: kind === 'key' ? 'PRIMARY' : plain(key),
        text: placed(list),
        ...(whole && { columns: whole }),
      });
      continue;
    }
    const foreign = FOREIGN.exec(line);
    if (foreign) {
      const [, name = '', own = '', where = '', schema, target = '', theirs = '', tail = ''] = foreign;
      parts.push({
        kind: 'foreignKey',
        name: plain(name),
        text: tail,
        columns: namesIn(own) ?? [],
        target: schema === undefined ? plain(target) : where,
        targetColumns: namesIn(theirs) ?? [],
      });
      continue;
    }
    const period = PERIOD.exec(line);
    if (period) {
      const [, name, list = ''] = period;
      parts.push({
        kind: 'period',
        name: name === undefined ? 'SYSTEM_TIME' : plain(name),
        text: placed(list),
      });
      continue;
    }
    const [, check, clause = ''] = CHECK.exec(line) ?? [];
    if (check !== undefined) parts.push({ kind: 'check', name: plain(check), text: placed(clause) });
  }
  return { columns, native: { dialect: 'mysql', options: placed(options), needs: [], parts } };
}

/** One definition a line. Texts have their ends of lines escaped, but names may have them. */
function linesOf(statement: string): { lines: string[]; options: string } {
  const start = statement.indexOf('(\n');
  // The list of definitions ends with the first line that begins with a bracket. Partitions follow it.
  const end = statement.indexOf('\n) ');
  const lines = statement
    .slice(start + 2, end)
    .split(/,?\n {2}/)
    .map((line) => line.replace(/^ {2}/, '').replace(/,$/, ''));
  const options = statement
    .slice(end + 2)
    .trim()
    .replace(/ ?\bAUTO_INCREMENT=\d+/, '')
    // Which files hold the rows is the server's own affair.
    .replace(/ (?:DATA|INDEX) DIRECTORY='[^']*'/g, '');
  return { lines, options };
}

function columnOf(name: string, definition: string, placed: (text: string) => string): ExactColumnLine {
  const type = TYPE.exec(definition)?.[0] ?? definition;
  const [strings, rest] = aside(definition.slice(type.length));
  const required = / NOT NULL\b/.test(rest);
  const without = rest
    .replace(/ NOT NULL\b/, '')
    .replace(/ DEFAULT NULL\b/, '')
    .replace(/ NULL\b/, '')
    .trim();
  const back = without.replaceAll(/⟦(\d+)⟧/g, (_, at: string) => strings[Number(at)] ?? '');
  return {
    name,
    required,
    native: {
      dialect: 'mysql',
      type: type
        .replace(WIDTHS, (all) => all.replace(/\(\d+\)/, ''))
        // MySQL prints the character set of a collation only if somebody has named it.
        .replace(/ CHARACTER SET (\w+) COLLATE (\1_\w+)/, ' COLLATE $2'),
      ...(back !== '' && { rest: placed(back) }),
    },
  };
}

/** Puts texts and names aside, so that no word inside of them is taken for one of SQL. */
function aside(text: string): [string[], string] {
  const strings: string[] = [];
  const rest = text.replaceAll(
    /'(?:[^'\\]|''|\\[\s\S])*'|`(?:[^`]|``)*`|\((?:[^()]|\([^()]*\))*\)/g,
    (one) => {
      strings.push(one);
      return `⟦${strings.length - 1}⟧`;
    },
  );
  return [strings, rest];
}
