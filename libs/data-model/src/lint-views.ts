/** Warnings about the views of a real database: a version knows none of them. Pure. */
import type { Finding } from './lint';
import type { Dialect } from './sql';
import type { Structure, ViewUse } from './structure';

type Codes = ReadonlySet<Finding['code']>;
const RENAMES: Codes = new Set(['tableRenamed', 'columnRenamed']);
const DROPS: Codes = new Set(['dropTable', 'dropColumn']);
const RETYPES: Codes = new Set(['typeLoses', 'typeRefuses']);

/**
 * MySQL keeps views that no longer work, and the operator hears it here alone. PostgreSQL changes them along with a
 * rename, and refuses to drop or change what they read.
 */
export function lintViews(findings: readonly Finding[], structure: Structure, dialect: Dialect): Finding[] {
  const affected = (codes: Codes) => viewsOf(findings, codes, structure, dialect);
  if (dialect === 'mysql') {
    const views = affected(new Set([...RENAMES, ...DROPS]));
    return finding(views, {
      code: 'viewsBreak',
      severity: 'breaking',
      reason: `Views that read what is renamed or dropped stop working: ${views.join(', ')}.`,
      remedy: 'Look at their definitions, and create those again afterwards.',
    });
  }
  const [follow, refuse] = [affected(RENAMES), affected(new Set([...DROPS, ...RETYPES]))];
  return [
    ...finding(follow, {
      code: 'viewsFollow',
      severity: 'advice',
      reason: `Views follow what is renamed, and keep the names of their own columns: ${follow.join(', ')}.`,
      remedy: 'Nothing has to be done. Create a view again if its columns should have the new names too.',
    }),
    ...finding(refuse, {
      code: 'viewsRefuse',
      severity: 'refusable',
      reason: `PostgreSQL refuses to drop or to retype what these views read: ${refuse.join(', ')}.`,
      remedy: 'Drop the views first, and create them again afterwards.',
    }),
  ];
}

const finding = (views: readonly string[], said: Omit<Finding, 'where'>): Finding[] =>
  views.length === 0 ? [] : [{ ...said, where: views.join(', ') }];

/** PostgreSQL knows all that a view reads. A view that MySQL says nothing about could read anything. */
function viewsOf(
  findings: readonly Finding[],
  codes: Codes,
  { views = [], uses = [] }: Pick<Structure, 'views' | 'uses'>,
  dialect: Dialect,
): string[] {
  const places = new Set(findings.filter(({ code }) => codes.has(code)).map(({ where }) => where));
  if (places.size === 0) return [];
  const known = new Set(dialect === 'postgresql' ? views : uses.map(({ view }) => view));
  const touches = ({ table, column }: ViewUse): boolean =>
    places.has(table) || places.has(`${table}.${column}`);
  const touched = new Set(uses.filter(touches).map(({ view }) => view));
  // Views of other schemas are in `uses` alone.
  return [...new Set([...views, ...touched])].filter((view) => touched.has(view) || !known.has(view));
}
