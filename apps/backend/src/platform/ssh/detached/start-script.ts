import work from './work.sh';

/**
 * The functions that every script has.
 * @param to where the lines of a report go, as a redirection in sh
 * @param mark what each line begins with
 */
export const reportFunctions = (to: string, mark = ''): string => `report() (
  value=\${2-}
  line=
  while case $value in *'
'*) true ;; *) false ;; esac; do
    line="$line\${value%%'
'*} "
    value=\${value#*'
'}
  done
  printf '${mark}%s %s\\n' "\${1-}" "$line$value" 2>/dev/null ${to} || :
)
changed() { report changed "\${1-}"; }`;

/** What the script has available: two functions, its arguments, and nothing else of ours. */
const run = `${reportFunctions('>>"${0%/*}/report"')}
. "\${0%/*}/arguments"
. "\${0%/*}/script"
`;

export const startFiles = { work: work.text, run };
