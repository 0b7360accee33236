# Without --volumes: the data in a volume cannot be pulled again.

. servers/shell/docker.sh

echo 'Removing stopped containers, unused networks, unused images and the build cache. Volumes are kept.'
dock system prune --all --force
