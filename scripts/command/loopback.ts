import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitCodes, ShellError } from './command-output.ts';

export interface Loopback {
  port: number;
  close(): void;
}

const pageOf = (title: string, text: string) => `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>${title}</h1><p>${text}</p></html>`;
const donePage = pageOf('终端已登录 · Terminal signed in', '可以关闭此页面。 · You can close this page.');
const wrongPage = pageOf('登录码无效 · Wrong code', '请返回终端重试。 · Return to the terminal and try again.');

/**
 * Listens on the loopback address until it is closed. `submitCode` gets each code that arrives at the path of the challenge, which only
 * the panel's page knows, and returns whether it was accepted. Throws PORT_IN_USE.
 */
export function listenForCode(
  requestedPort: number,
  challenge: string,
  submitCode: (code: string) => Promise<boolean>,
): Promise<Loopback> {
  const server = createServer((request, response) => void answer(server, request, response, challenge, submitCode));
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(
        new ShellError(
          isInUse ? 'PORT_IN_USE' : 'ERROR',
          exitCodes.usage,
          `can’t listen on port ${requestedPort} (${error.code}). Choose another with --port, or use --paste`,
        ),
      );
    });
    server.listen(requestedPort, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

async function answer(
  server: Server,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  challenge: string,
  submitCode: (code: string) => Promise<boolean>,
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  if (!URL.canParse(url, 'http://127.0.0.1')) return void response.writeHead(404, safeHeaders).end();
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  // DNS rebinding: another host name that resolves to this machine is refused.
  const isOwnHost = headers.host === `127.0.0.1:${port}`;
  const code = searchParams.get('code');
  if (method !== 'GET' || !isOwnHost || !(pathname === '/done' || (pathname === `/${challenge}` && code !== null)))
    return void response.writeHead(404, safeHeaders).end();
  if (pathname === '/done') return void response.writeHead(200, safeHeaders).end(donePage);
  const isAccepted = await submitCode(code ?? '');
  if (isAccepted) response.writeHead(303, { ...safeHeaders, location: '/done' }).end();
  else response.writeHead(400, safeHeaders).end(wrongPage);
}

const safeHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  connection: 'close',
};
