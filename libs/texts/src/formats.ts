/** The formats of files. Apart from what reads and writes them, so that forms need not load that. */
export const formats = [
  'json',
  'json-nested',
  'csv',
  'csv-spreadsheet',
  'xliff-1.2',
  'xliff-2.0',
  'po',
] as const;
export type Format = (typeof formats)[number];

/** What an import tells of a file. */
export const fileKinds = ['JSON', 'CSV', 'XLIFF', 'gettext PO'] as const;
export type FileKind = (typeof fileKinds)[number];
