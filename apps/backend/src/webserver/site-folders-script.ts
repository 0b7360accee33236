/** Creates the folders that a site's configuration uses: nginx creates files, but no folders. */
import { webPrelude } from './apply-scripts/web-prelude';

/** Exit code 2, `missing`: a folder named by the operator does not exist, so every request would be a 404. */
export const NOT_THERE = 2;

/**
 * Arguments: folders to create if they are missing, with access for nginx's own account; after `--` those that must
 * exist. Creates nothing if one of those is missing.
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
