import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../chain/free-port.ts';
import { requireProgram } from '../../scripts/suite/debian.mjs';
import { waitUntil } from './process.ts';

export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

const portOf = (origin: string) => new URL(origin).port;

/** As in docs/operations/install.md: notices a dead server by a refused connection. */
export function startNginx(origins: readonly string[]): Promise<Proxy> {
  return startProgram('nginx', (port, folder) => ({
    args: ['-p', folder, '-c', join(folder, 'conf'), '-e', 'stderr'],
    text: `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream panel {
    ${origins.map((origin) => `server 127.0.0.1:${portOf(origin)} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 21m;
    location / {
      proxy_pass http://panel;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_next_upstream error timeout http_502 non_idempotent;
    }
  }
}
`,
  }));
}

/** Polls /readyz twice a second. */
export function startHaproxy(origins: readonly string[]): Promise<Proxy> {
  return startProgram('haproxy', (port, folder) => ({
    args: ['-db', '-f', join(folder, 'conf')],
    text: `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch
  option forwardfor
  retries 3
frontend panel
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  option httpchk GET /readyz
  default-server check inter 500ms fall 1 rise 1
${origins.map((origin, index) => `  server panel${index} 127.0.0.1:${portOf(origin)}`).join('\n')}
`,
  }));
}

async function startProgram(
  program: string,
  buildConfig: (port: number, folder: string) => { args: string[]; text: string },
): Promise<Proxy> {
  await requireProgram(program);
  const folder = mkdtempSync(join(tmpdir(), `${program}-`));
  const port = await findFreePort();
  const { args, text } = buildConfig(port, folder);
  writeFileSync(join(folder, 'conf'), text);
  const proxyProcess = spawn(program, args, { stdio: 'ignore' });
  const processExit = new Promise<void>((resolve) => proxyProcess.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(() =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return {
    url,
    stop: async () => {
      proxyProcess.kill('SIGKILL');
      await processExit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
