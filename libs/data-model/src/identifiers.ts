/** Names of tables and columns that both engines accept, and that never need quotes in SQL. */

/** PostgreSQL silently truncates names to 63 bytes. MySQL refuses names of more than 64 characters. */
const LONGEST = 63;
/** Prefix of the console's own tables, such as its journal. */
const OURS = 'quarterdeck_';

/** Every PostgreSQL table has these columns, so they cannot be added. */
const SYSTEM_COLUMNS = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'];

/**
 * What two names of tables, or of columns of a table, must not share in a model: it is for all engines, and MySQL
 * compares the names of columns without case, and on some systems those of tables.
 */
export const folded = (name: string): string => name.normalize('NFC').trim().toLowerCase();

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

/**
 * Why a table or a column that a database has cannot be imported; undefined if it can. All names are written in quotes, so
 * reserved words, spaces and other letters do no harm.
 */
export function importedProblem(identifier: string, of: 'table' | 'column'): string | undefined {
  if (identifier === '') return `the ${of} has no name`;
  if (identifier.length > LONGEST + 1) return `at most ${LONGEST + 1} characters are accepted`;
  // The marks of columns in texts, and what ends a line.
  if (/[\p{Cc}⟦⟧]/u.test(identifier)) return 'its name has a character that cannot be shown';
  if (of === 'table' && identifier.toLowerCase().startsWith(OURS))
    return `names that begin with ${OURS} belong to the console`;
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

/** Reserved words of MySQL 8.4, MariaDB 11 and PostgreSQL 17, in lower case. */
const mysql = `
accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade case change
char character check collate column condition constraint continue convert create cross cube cume_dist current_date
current_role current_time current_timestamp current_user cursor database databases day_hour day_microsecond day_minute
day_second dec decimal declare default delayed delete dense_rank desc describe deterministic distinct distinctrow div
do_domain_ids double drop dual each else elseif empty enclosed escaped except exists exit explain false fetch first_value
float float4 float8 for force foreign from fulltext function general generated get grant group grouping groups having
high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids ignore_server_ids in index infile inner
inout insensitive insert int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids io_before_gtids is
iterate join json_table key keys kill lag last_value lateral lead leading leave left like limit linear lines load
localtime localtimestamp lock long longblob longtext loop low_priority manual master_bind master_heartbeat_period
master_ssl_verify_server_cert match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second
mod modifies natural not no_write_to_binlog nth_value ntile null numeric of offset on optimize optimizer_costs option
optionally or order out outer outfile over page_checksum parallel parse_vcol_expr partition percent_rank portion
precision primary procedure purge qualify range rank read reads read_write real recursive ref_system_id references regexp
release rename repeat replace require resignal restrict return returning revoke right rlike row row_number rows schema
schemas second_microsecond select sensitive separator set show signal slow smallint spatial specific sql sqlexception
sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl starting stats_auto_recalc stats_persistent
stats_sample_pages stored straight_join system table tablesample terminated then tinyblob tinyint tinytext to trailing
trigger true undo union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values varbinary
varchar varcharacter varying vector virtual when where while window with write xor year_month zerofill`;

const postgresql = `
all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
concurrently constraint create cross current_catalog current_date current_role current_schema current_time
current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right
select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using
variadic verbose when where window with`;

const reservedWords: ReadonlySet<string> = new Set(
  [mysql, postgresql].flatMap((words) => words.trim().split(/\s+/)),
);
