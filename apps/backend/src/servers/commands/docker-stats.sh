. servers/shell/docker.sh

if [ -z "$(dock ps --quiet)" ]; then
  echo 'No containers are running on this server.'
  exit 0
fi
dock stats --no-stream --format 'table {{.Name}}\t{{.CPUPerc}}\t{{.MemUsage}}\t{{.MemPerc}}\t{{.NetIO}}\t{{.BlockIO}}\t{{.PIDs}}'
