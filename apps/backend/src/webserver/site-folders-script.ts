/** The folders that a site's configuration speaks of: nginx makes files, not folders. */
import { webPrelude } from './apply-scripts/web-prelude';

/** Exit code 2, `missing`: a folder that the operator named is not there, and every request would be a 404. */
export const NOT_THERE = 2;

/**
 * The folders that are made where they are missing, for nginx's own account to pass; behind `--` those that have to be
 * there. Nothing is made when one of those is not.
 */
export const siteFoldersScript = `${webPrelude}
umask 022
named=
for folder; do
  if [ "$folder" = -- ]; then named=yes; continue; fi
  [ -n "$named" ] || continue
  [ -d "$folder" ] && continue
  report missing "$folder"
  fail ${NOT_THERE} "There is no folder $folder on this server."
done
for folder; do
  [ "$folder" != -- ] || break
  if [ -d "$folder" ]; then
    note "$folder is there."
  else
    mkdir -p -- "$folder" || fail 73 "$folder could not be made."
    did "made the folder $folder"
  fi
done
`;
