. ./nginx-testing.sh

test_nginx
