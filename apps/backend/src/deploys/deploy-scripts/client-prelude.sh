# The beginning of the scripts of a deploy of a client package: a folder for each version, and a link that points to the one that
# serves. Each script may run again after it was killed at any line. The umask lets nginx read the files.

. servers/shell/telling.sh
. deploys/deploy-scripts/room.sh

umask 022
