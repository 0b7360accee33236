import { clean, end } from './end-script';
import { follow } from './follow-script';
import { places } from './places';
import { start, startFiles } from './start-script';

/** The scripts as they are sent: fixed texts. All variable parts are arguments. */
export const detachedScripts = {
  startAndFollow: `${places}${start}${follow}
from=$3
sweeps=$4
shift 4
launched=
begin "$@"
follow
if [ -n "$launched" ] && [ "$sweeps" = yes ]; then sweep "$base" </dev/null >/dev/null 2>&1 5<&- & fi
exit 0`,
  follow: `${places}${follow}
from=$3
find_work
follow
exit 0`,
  end: places + end,
  clean: places + clean,
};

export { startFiles };
