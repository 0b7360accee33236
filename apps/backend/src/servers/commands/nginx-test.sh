. servers/commands/nginx-testing.sh

test_nginx
