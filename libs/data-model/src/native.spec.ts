import type { Dialect } from './model';
import { textProblem, withNames, withOtherPlaces, withPlaces } from './native';
import { quoted } from './quoted';
import { needText } from './sql-parts';

const both: readonly Dialect[] = ['mysql', 'postgresql'];

describe('a text of an import', () => {
  it.each([
    ['mysql', "enum('a;b','--','#','/*',')','it''s')"],
    ['mysql', "varchar(9) DEFAULT 'a\\';' COMMENT '[1]'"],
    ['mysql', 'int GENERATED ALWAYS AS (`a;--` + 1) STORED'],
    ['mysql', 'geometry /*!80003 SRID 0 */'],
    ['mysql', "int /*M!100201 CHECK (1, 2) */ DEFAULT '1'"],
    ['postgresql', `text DEFAULT 'a;$$--'::text`],
    ['postgresql', `text DEFAULT E'it\\'s;'::text`],
    ['postgresql', `text DEFAULT 'back\\'::text COLLATE "odd;name"`],
    ['postgresql', 'numeric(10,2)'],
    ['postgresql', `CHECK (("a;)" > 3))`],
  ] as const)('of %s is accepted: %s', (dialect, text) => {
    expect(textProblem(text, dialect)).toBeUndefined();
  });

  it.each([
    ['int; drop table users', 'it has a ; outside of brackets'],
    ['int check (1; 2)', 'it has a ; outside of brackets'],
    ['int, add column spy int', 'it has a , outside of brackets'],
    ['int) engine=MyISAM --', 'a bracket is closed that is not open'],
    ['int) engine=MyISAM', 'a bracket is closed that is not open'],
    [')(', 'a bracket is closed that is not open'],
    ['decimal(10', 'a bracket is not closed'],
    ["varchar(9) default 'x", 'a quote is not closed'],
    ['int -- the rest', 'it has a comment or a quote of dollars'],
    ['int /* the rest', 'it has a comment or a quote of dollars'],
    ['int $$ ; $$', 'it has a comment or a quote of dollars'],
    ['int $quarterdeck$', 'it has a comment or a quote of dollars'],
    ['int $größe$', 'it has a comment or a quote of dollars'],
    ['int /*!80000 /* */', 'it has a comment or a quote of dollars'],
    ['int /*!80000', 'it has a comment or a quote of dollars'],
    ['int */ default 1', 'it has a comment or a quote of dollars'],
  ])('is refused by both engines: %s', (text, problem) => {
    expect(both.map((dialect) => textProblem(text, dialect))).toEqual([problem, problem]);
  });

  it.each([
    // What one engine takes for a quoted text ends the text of the other.
    ['postgresql', `text default 'a\\'; drop table users`, 'it has a ; outside of brackets'],
    ['postgresql', `text default "a\\"; drop table users`, 'it has a ; outside of brackets'],
    ['postgresql', `text default E'a\\\\'; drop table users`, 'it has a ; outside of brackets'],
    ['postgresql', 'text default `; drop table users`', 'it has a ; outside of brackets'],
    ['postgresql', `text default a$e'x\\'; drop table users; --''`, 'a quote follows a word'],
    ['postgresql', `text default 1e'\\'' '; drop table users`, 'a quote follows a word'],
    ['postgresql', 'int /*!80000 check (true) */', 'it has a comment or a quote of dollars'],
    // What a server leaves out of a comment ends at the first end, whatever quotes and brackets it has.
    [
      'mysql',
      `int /*!99999 ' */, add column spy int /*!99999 ' */`,
      'it has a comment or a quote of dollars',
    ],
    ['mysql', 'int /*!99999 ( */), add column spy int /*!99999 ) */', 'a bracket is not closed'],
    ['mysql', 'int check (/*!99999 ) */ 1, 2)', 'a bracket is closed that is not open'],
    ['mysql', 'int /*! , add x int */', 'it has a , outside of brackets'],
    ['mysql', 'int /*!80000 ) */', 'a bracket is closed that is not open'],
    ['mysql', 'int # the rest', 'it has a comment or a quote of dollars'],
    ['mysql', `int default "a\\\\"; drop table users`, 'it has a ; outside of brackets'],
    ['mysql', `int default 'a\\\\'; drop table users`, 'it has a ; outside of brackets'],
    ['mysql', 'int default `a\\`; drop table users', 'it has a ; outside of brackets'],
  ] as const)('of %s is refused: %s', (dialect, text, problem) => {
    expect(textProblem(text, dialect)).toBe(problem);
  });

  it.each(both)('of %s may have the marks of columns itself', (dialect) => {
    const texts = ["comment '⟦a⟧'", "default '⟧⟦⟦a⟧⟧' check (⟦)", "'⟦⟧' ⟦"];
    for (const one of texts) {
      const text = `${one} ${quoted('a', dialect)}`;
      const marked = withNames(text, dialect, (name) => (name === 'a' ? '0190' : undefined));
      const moved = withOtherPlaces(marked, (id) => (id === '0190' ? 'b' : 'wrong'));
      expect(withPlaces(moved, (id) => quoted(id, dialect))).toBe(`${one} ${quoted('b', dialect)}`);
      expect(textProblem("comment '⟦a⟧'", dialect)).toBeUndefined();
    }
  });

  it('cannot smuggle in a quote by the name of a column', () => {
    const odd = 'a`; drop table users; --';
    const text = withPlaces('(⟦0⟧)', () => quoted(odd, 'mysql'));
    expect(text).toBe('(`a``; drop table users; --`)');
    expect(textProblem(text, 'mysql')).toBeUndefined();
    expect(withNames(text, 'mysql', (name) => (name === odd ? 'found' : undefined))).toBe('(⟦found⟧)');
  });

  it('cannot end the quote around the statement that makes its type', () => {
    const label = `('$quarterdeck$; drop table users; --', '$quarterdeck_$')`;
    const sql = needText({ kind: 'enum', name: 'mood', text: label }, 'postgresql', 'postgresql');
    expect(sql).toMatch(/^do \$quarterdeck__\$ begin create type .* end \$quarterdeck__\$;$/);
  });
});
