import { setUpQuestion } from './set-ups';

const server = {
  alias: 'web-1',
  username: 'root',
  host: '10.0.0.3',
  port: 22,
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
};

test('the question names the host and what will be done on it', () => {
  const { title, body } = setUpQuestion('initializeServer', server);
  expect(title).toBe('Initialize web-1?');
  expect(body).toContain('On web-1 (root@10.0.0.3:22) this installs what is missing');
  expect(body).toContain('/root/volumes/nginx_config/*.conf');
  expect(setUpQuestion('installDocker', server).body).toContain('An existing Docker is not changed.');
});
