# Answers of the engine and of compose, or none.

server_version() { docker version --format '{{.Server.Version}}' 2>/dev/null; }
compose_version() { docker compose version --short 2>/dev/null || docker-compose version --short 2>/dev/null; }
