/** covers: I18N-01: files as translators and their tools make them */
import { TextFileError } from './file';
import { kindOf, readTexts } from './files';
import type { Language } from './languages';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (name: string, content: string | Uint8Array, language?: Language) =>
  readTexts({ name, bytes: typeof content === 'string' ? bytesOf(content) : content }, language);
/** `key language text`, a line each. */
const inShort = (name: string, content: string | Uint8Array, language?: Language): string[] =>
  read(name, content, language).texts.map((one) => `${one.key} ${one.language} ${one.text}`);
const problem = (name: string, content: string | Uint8Array, language?: Language): string => {
  try {
    read(name, content, language);
  } catch (error) {
    if (error instanceof TextFileError) return error.message;
    throw error;
  }
  throw new Error('The file was read.');
};

describe('JSON', () => {
  it('takes the language from the name of the file', () => {
    expect(inShort('fr.json', '{"save":"Enregistrer"}')).toEqual(['save fr Enregistrer']);
    expect(inShort('messages.pt-BR.json', '{"save":"Salvar"}')).toEqual(['save pt Salvar']);
    expect(inShort('locales/de/common.json', '{"save":"Sichern"}')).toEqual(['save de Sichern']);
    expect(inShort('app_id.json', '{"save":"Simpan"}')).toEqual(['save id Simpan']);
  });

  it('reads a file with all languages', () => {
    expect(inShort('all.json', '{"en":{"a":"A"},"zh-Hans":{"a":"B","b":{"c":"D"}}}')).toEqual([
      'a en A',
      'a zh B',
      'b.c zh D',
    ]);
  });

  it('reads lists, numbers and yes and no, and leaves out what is empty', () => {
    expect(
      inShort('en.json', '{"days":["Mo","Tu"],"n":3,"ok":true,"none":null,"empty":"","o":{},"l":[]}'),
    ).toEqual(['days.0 en Mo', 'days.1 en Tu', 'n en 3', 'ok en true']);
  });

  it('reads a file with a byte order mark, and UTF-16', () => {
    expect(inShort('en.json', '\uFEFF{"a":"é"}')).toEqual(['a en é']);
    const utf16 = new Uint8Array([0xff, 0xfe, ...[...'{"a":"é"}'].flatMap((one) => [one.charCodeAt(0), 0])]);
    expect(inShort('en.json', utf16)).toEqual(['a en é']);
  });

  it('says where it is wrong', () => {
    expect(problem('en.json', '{\n  "a": "x"\n  "b": "y"\n}')).toBe('Line 3, column 3: Comma expected.');
    expect(problem('en.json', '{"a":"x",\n"a":"y"}')).toBe('Line 2, column 1: The key "a" exists twice.');
    expect(problem('en.json', '["a"]')).toBe('Line 1, column 1: Expected an object of keys and texts.');
    expect(problem('en.json', '"a"')).toBe('Line 1, column 1: Expected an object of keys and texts.');
    expect(problem('en.json', '')).toBe('Line 1, column 1: The file is empty.');
    expect(problem('texts.json', '{"a":"x"}')).toMatch(/does not say its language/);
    expect(problem('en.json', new Uint8Array([0x7b, 0x0a, 0x22, 0xe9, 0x22]))).toBe(
      'Line 2, column 2: The bytes here are not UTF-8. Save the file as UTF-8.',
    );
    expect(problem('en.json', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).toMatch(/More than 100 levels/);
  });
});

describe('CSV', () => {
  it.each([
    ['commas', 'key,en,fr\nsave,Save,Enregistrer\n'],
    ['semicolons', 'key;en;fr\nsave;Save;Enregistrer\n'],
    ['tabs', 'key\ten\tfr\nsave\tSave\tEnregistrer\n'],
    ['quotes', '"key","en","fr"\n"save","Save","Enregistrer"\n'],
    ['names of languages', 'Key,English,French\nsave,Save,Enregistrer\n'],
    ['locales', 'key,en-US,fr_FR\nsave,Save,Enregistrer'],
    ['a title on top', 'Texts of the shop,,\n,,\nkey,en,fr\nsave,Save,Enregistrer'],
    ['other columns', 'key,comment,en,fr\nsave,a button,Save,Enregistrer'],
    ['short rows', 'key,en,fr,de\nsave,Save,Enregistrer\n'],
  ])('reads a file with %s', (_, content) => {
    expect(inShort('texts.csv', content)).toEqual(['save en Save', 'save fr Enregistrer']);
  });

  it('reads quotes that are doubled and quotes after a backslash', () => {
    expect(inShort('a.csv', 'key,en\na,"He said ""no"""\n')).toEqual(['a en He said "no"']);
    expect(inShort('a.csv', 'key,en\na,"He said \\"no\\""\n')).toEqual(['a en He said "no"']);
  });

  it('reads source and target of one language', () => {
    const content =
      'location,source,target,id,fuzzy,context\napp.c:1,Hello,Bonjour,,True,greeting\n,Bye,Salut,,,\n';
    expect(read('fr.csv', content).texts).toEqual([
      { key: 'greeting', language: 'fr', text: 'Bonjour', line: 2, source: 'Hello', needsReview: true },
      { key: 'Bye', language: 'fr', text: 'Salut', line: 3, source: 'Bye', isKeySource: true },
    ]);
    expect(problem('a.csv', content)).toMatch(/does not say its language/);
  });

  it('says where it is wrong', () => {
    expect(problem('a.csv', 'a,b\nc,d')).toMatch(/^Line 1, column 1: Expected a header row/);
    expect(problem('a.csv', 'key,en\na,"x\n\n')).toMatch(/^Line 2, .* has no closing quote/);
    const open = `key,en\na,"x\ny"\n\nb,"z${'\nc,d'.repeat(100)}`;
    expect(problem('a.csv', open)).toBe(
      'Line 5, column 1: A cell of the row that begins here has no closing quote (cell 2).',
    );
    expect(problem('a.csv', 'key,pt,pt-BR\na,b,c')).toBe(
      'Line 1, column 1: Two columns are of the same language: pt.',
    );
    expect(read('a.csv', 'key,en\n,x\nb,y').leftOut).toEqual([{ line: 2, why: 'The row has no key.' }]);
  });

  it('counts lines in spite of line breaks within cells', () => {
    expect(read('a.csv', 'key,en\na,"x\ny"\nb,z').texts.map(({ line }) => line)).toEqual([2, 4]);
  });
});

describe('XLIFF', () => {
  const one = (unit: string, attributes = 'source-language="en" target-language="fr-FR"') =>
    `<xliff version="1.2"><file ${attributes}><body>${unit}</body></file></xliff>`;
  const two = (unit: string) =>
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="fr"><file id="f">${unit}</file></xliff>`;

  it('reads groups, prefixes and CDATA, and ignores other suggestions', () => {
    const file =
      '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file source-language="en" target-language="fr"><x:body><x:group><x:trans-unit id="7" resname="greet">' +
      '<x:source>Hello</x:source><x:target><![CDATA[<b>Bonjour</b>]]></x:target><x:alt-trans><x:target>Salut</x:target></x:alt-trans></x:trans-unit></x:group></x:body></x:file></x:xliff>';
    expect(read('a.xliff', file).texts).toEqual([
      { key: 'greet', language: 'fr', text: '<b>Bonjour</b>', line: 1, source: 'Hello' },
    ]);
  });

  it('keeps placeholders as they are written, and drops marks', () => {
    const unit =
      '<trans-unit id="a"><source>x</source><target>Bonjour <x id="1" equiv-text="&quot;"/>, <g id="2">toi</g> <mrk mtype="seg">et moi</mrk></target></trans-unit>';
    expect(inShort('a.xlf', one(unit))).toEqual([
      'a fr Bonjour <x id="1" equiv-text="&quot;"/>, <g id="2">toi</g> et moi',
    ]);
  });

  it('knows what still needs a review, and skips what has no translation', () => {
    const units =
      '<trans-unit id="a"><source>x</source><target state="needs-review-translation">y</target></trans-unit><trans-unit id="b"><source>x</source></trans-unit><trans-unit id="c"><source>x</source><target/></trans-unit>';
    expect(read('a.xlf', one(units)).texts).toEqual([
      { key: 'a', language: 'fr', text: 'y', line: 1, source: 'x', needsReview: true },
    ]);
  });

  it('reads the source of a file without a target language', () => {
    expect(
      inShort('a.xlf', one('<trans-unit id="a"><source>x</source></trans-unit>', 'source-language="en"')),
    ).toEqual(['a en x']);
  });

  it('removes the indentation of a tool, unless the space is to be preserved', () => {
    const target = '<target>\n      Bonjour\n    </target>';
    expect(inShort('a.xlf', one(`<trans-unit id="a"><source>x</source>${target}</trans-unit>`))).toEqual([
      'a fr Bonjour',
    ]);
    expect(
      inShort(
        'a.xlf',
        one(`<trans-unit id="a" xml:space="preserve"><source>x</source>${target}</trans-unit>`),
      ),
    ).toEqual(['a fr \n      Bonjour\n    ']);
  });

  it('joins the segments of version 2', () => {
    const unit =
      '<unit id="u1" name="two"><segment><source>One.</source><target>Un.</target></segment><ignorable><source> </source></ignorable><segment><source>Two<cp hex="0009"/>.</source><target>Deux<cp hex="0009"/>.</target></segment></unit>';
    expect(read('a.xlf', two(unit)).texts).toEqual([
      { key: 'two', language: 'fr', text: 'Un. Deux\t.', line: 1, source: 'One. Two\t.' },
    ]);
    const half =
      '<unit id="u1"><segment><source>One.</source><target>Un.</target></segment><segment><source>Two.</source></segment></unit>';
    expect(read('a.xlf', two(half))).toEqual({
      texts: [],
      leftOut: [{ line: 1, key: 'u1', why: 'Only a part of its segments is translated.' }],
    });
  });

  it('reads a character that XML cannot contain, or says that it is none', () => {
    const character = (hex: string) =>
      two(`<unit id="u1"><segment><source>x</source><target>y<cp hex="${hex}"/></target></segment></unit>`);
    expect(inShort('a.xlf', character('1F600'))).toEqual(['u1 fr y😀']);
    for (const none of ['110000', 'FFFFFFFFFFFFFFFF', '-1', 'x', ''])
      expect(inShort('a.xlf', character(none))).toEqual(['u1 fr y\uFFFD']);
  });

  it('reads the character set that its declaration names', () => {
    const file = `<?xml version="1.0" encoding='ISO-8859-1'?>\n${one('<trans-unit id="a"><source>x</source><target>é</target></trans-unit>')}`;
    expect(inShort('a.xlf', new Uint8Array(Buffer.from(file, 'latin1')))).toEqual(['a fr é']);
    expect(problem('a.xlf', file.replace('ISO-8859-1', 'klingon'))).toMatch(/"klingon" is unknown/);
    const utf16 = Buffer.from(`\uFEFF${file.replace('ISO-8859-1', 'UTF-16')}`, 'utf16le');
    expect(inShort('a.xlf', new Uint8Array(utf16))).toEqual(['a fr é']);
    // Saved again by an editor that did not know about the declaration.
    expect(inShort('a.xlf', file.replace('ISO-8859-1', 'UTF-16'))).toEqual(['a fr é']);
  });

  it('says where it is wrong', () => {
    expect(problem('a.xlf', '<xliff>\n<file></body></xliff>')).toMatch(/^Line 2, column \d+: .*tag/);
    expect(problem('a.xlf', '<!DOCTYPE x [<!ENTITY a "b">]><xliff/>')).toMatch(
      /document type is not allowed/,
    );
    expect(problem('a.xlf', '<xliff>&a;</xliff>')).toMatch(/entity/);
    expect(problem('a.xlf', '<html/>')).toBe(
      'Line 1, column 8: Expected an element <xliff> instead of <html>.',
    );
    expect(problem('a.xlf', `<xliff>${'<group>'.repeat(200)}`)).toMatch(/More than 100 elements/);
    expect(
      problem('a.xlf', one('<trans-unit id="a"><source>x</source><target>y</target></trans-unit>', '')),
    ).toMatch(/Choose one/);
  });
});

describe('PO', () => {
  const header =
    'msgid ""\nmsgstr ""\n"Language: cs_FR\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
  const russian = header.replace('cs_FR', 'ru');
  const french = header.replace('cs_FR', 'fr');

  it('reads contexts, comments, lines that go on, escapes and obsolete entries', () => {
    const file = `${french}# a note\n#: app.c:1\n#, c-format, fuzzy\nmsgctxt "menu"\nmsgid "Save"\nmsgstr ""\n"Enregi"\n"strer\\t\\"\\x21\\041\\\\"\n\n#~ msgid "gone"\n#~ msgstr "parti"\n\nmsgid "Bye"\nmsgstr "Salut"\n`;
    expect(read('a.po', `\uFEFF${file}`).texts).toEqual([
      { key: 'menu', language: 'fr', text: 'Enregistrer\t"!!\\', line: 9, source: 'Save', needsReview: true },
      { key: 'Bye', language: 'fr', text: 'Salut', line: 18, source: 'Bye', isKeySource: true },
    ]);
  });

  it('makes an ICU plural of plural forms', () => {
    const plural =
      'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d файл"\nmsgstr[1] "%d файла"\nmsgstr[2] "{%d} файлов"\n';
    expect(inShort('a.po', russian + plural)).toEqual([
      "%d file ru {count, plural, one {%d файл} few {%d файла} many {'{'%d'}' файлов} other {'{'%d'}' файлов}}",
    ]);
    expect(read('a.po', header.replace('cs_FR', 'de') + plural)).toMatchObject({
      texts: [],
      leftOut: [{ line: 6, key: '%d file', why: 'It has 3 plural forms, which de does not.' }],
    });
  });

  it('knows the plural forms that some tools give a language in addition', () => {
    const forms = (...texts: string[]) =>
      `msgctxt "n"\nmsgid "file"\nmsgid_plural "files"\n${texts.map((text, at) => `msgstr[${at}] "${text}"\n`).join('')}`;
    expect(inShort('a.po', french + forms('un', 'million', 'des'))).toEqual([
      'n fr {count, plural, one {un} many {million} other {des}}',
    ]);
    expect(inShort('a.po', russian + forms('a', 'b', 'c', 'd'))).toEqual([
      'n ru {count, plural, one {a} few {b} many {c} other {d}}',
    ]);
  });

  it('goes by the numbers of the forms, in whatever order they are', () => {
    const shuffled = 'msgid "a"\nmsgid_plural "b"\nmsgstr[1] "deux"\nmsgstr[0] "un"\n';
    expect(inShort('a.po', french + shuffled)).toEqual(['a fr {count, plural, one {un} other {deux}}']);
    expect(problem('a.po', french + shuffled.replace('[0]', '[1]'))).toBe(
      'Line 9, column 1: "msgstr[1]" exists twice. The first is in line 8.',
    );
    expect(problem('a.po', french + shuffled.replace('[0]', '[2]'))).toBe(
      'Line 6, column 1: The entry that begins here lacks "msgstr[0]".',
    );
    expect(problem('a.po', `${french}msgid "a"\nmsgstr[999999999] "x"\n`)).toMatch(/at most 6 plural forms/);
  });

  it('takes a flag from any of the lines of an entry, and from no other entry', () => {
    const file = `${french}#, fuzzy\n#, c-format\nmsgid "a"\nmsgstr "1"\n\n#, fuzzy\n#~ msgid "gone"\n#~ msgstr "parti"\n\nmsgid "b"\nmsgstr "2"\n`;
    expect(read('a.po', file).texts.map(({ key, needsReview = false }) => [key, needsReview])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('reads escaped bytes in the character set of the file', () => {
    const escaped = 'msgid "a"\nmsgstr "\\303\\211t\\303\\251 \\xe2\\x82\\xac é"\n';
    expect(inShort('a.po', french + escaped)).toEqual(['a fr Été € é']);
    const latin = `${french.replace('UTF-8', 'ISO-8859-1')}msgid "a"\nmsgstr "\\351"\n`;
    expect(inShort('a.po', latin)).toEqual(['a fr é']);
    expect(problem('a.po', `${french}msgid "a"\nmsgstr "\\377"\n`)).toBe(
      'Line 7, column 8: The escaped bytes here are not UTF-8.',
    );
  });

  it('reads the character set that the header names', () => {
    const latin = french.replace('UTF-8', 'ISO-8859-1') + 'msgid "a"\nmsgstr "é"\n';
    expect(inShort('a.po', new Uint8Array(Buffer.from(latin, 'latin1')))).toEqual(['a fr é']);
    expect(problem('a.po', french.replace('UTF-8', 'klingon'))).toMatch(/"klingon" is unknown/);
    expect(inShort('fr.pot', french.replace('UTF-8', 'CHARSET') + 'msgid "a"\nmsgstr "é"\n')).toEqual([
      'a fr é',
    ]);
  });

  it('says where it is wrong', () => {
    expect(problem('fr.po', 'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n')).toBe(
      'Line 4, column 1: The text "a" exists twice. The first is in line 1.',
    );
    expect(problem('fr.po', 'msgid "a "b"\nmsgstr "c"')).toMatch(
      /^Line 1, column 7: Expected a text in quotes/,
    );
    expect(problem('fr.po', 'msgid "a"\nmsgstr "c')).toMatch(/^Line 2, column 8: Expected a text in quotes/);
    expect(problem('fr.po', 'msgid "a"\n')).toMatch(/^Line 1, .*not complete/);
    expect(problem('fr.po', 'msgstr "a"\n')).toMatch(/comes after "msgid"/);
    expect(problem('fr.po', 'hello "a"\n')).toMatch(/"hello" is none of/);
    expect(problem('a.po', 'msgid "a"\nmsgstr "b"')).toMatch(/does not say its language/);
  });
});

it('tells what a file is read as', () => {
  const kindIn = (name: string, content: string) => kindOf({ name, bytes: Buffer.from(content) });
  expect(kindIn('fr.xlf', '')).toBe('XLIFF');
  expect(kindIn('fr.txt', ' {"a":"b"}')).toBe('JSON');
  expect(kindIn('fr.txt', '# x\nmsgid "a"\n')).toBe('gettext PO');
  expect(kindIn('fr.txt', 'key,fr\n')).toBe('CSV');
});

it('recognises a format whose ending says nothing', () => {
  expect(inShort('fr.txt', ' {"a":"b"}')).toEqual(['a fr b']);
  expect(
    inShort(
      'fr.txt',
      '<?xml version="1.0"?><xliff><file source-language="en"><trans-unit id="a"><source>x</source><target>b</target></trans-unit></file></xliff>',
    ),
  ).toEqual(['a fr b']);
  expect(inShort('fr.txt', '# x\nmsgid "a"\nmsgstr "b"\n')).toEqual(['a fr b']);
  expect(inShort('fr.txt', 'key,fr\na,b')).toEqual(['a fr b']);
});

it.each([
  ['a workbook', 'fr.csv', 'PK\x03\x04\x14\0', /workbook \(\.xlsx\).*Save the workbook as CSV/],
  ['an archive', 'fr.json', 'PK\x03\x04\x14\0', /unpack the archive/],
  ['an old workbook', 'fr.csv', '\xd0\xcf\x11\xe0\xa1', /workbook \(\.xls\)\. Save it as CSV/],
])('says of %s what to do instead', (_, name, content, said) => {
  expect(problem(name, Buffer.from(content, 'latin1'))).toMatch(said);
});

it('ends in linear time with hostile files', () => {
  const long = 200_000;
  for (const [name, content] of [
    ['fr.json', '['.repeat(long)],
    ['fr.json', `{"a":"${'\\\\'.repeat(long)}`],
    ['fr.csv', `key,fr\n"${'""'.repeat(long)}`],
    ['fr.csv', `key,fr\n${'"'.repeat(long + 1)}`],
    ['fr.xlf', '<'.repeat(long)],
    ['fr.xlf', `<xliff ${'a="b" '.repeat(long)}`],
    ['fr.po', `msgid "${'\\\\'.repeat(long)}`],
    ['fr.po', 'msgid '.repeat(long)],
    ['fr.po', '"'.repeat(long)],
  ] as const) {
    expect(() => read(name, content)).toThrow(TextFileError);
  }
});
