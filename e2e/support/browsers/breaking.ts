import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Drops one file, for browsers whose requests cannot be intercepted. */
export interface Breaking {
  readonly url: string;
  breaks(file: string, how: 'missing' | 'cut off'): void;
  mend(): void;
  stop(): void;
}

export async function startBreaking(panel: string): Promise<Breaking> {
  let broken: { file: string; how: 'missing' | 'cut off' } | null = null;
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, headers } = asked;
    const onward = request(new URL(asked.url ?? '/', panel), { method: method ?? 'GET', headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  };
  const server = createServer((asked, answer) => {
    if (asked.url !== broken?.file) pass(asked, answer);
    else if (broken?.how === 'missing') answer.writeHead(404).end();
    else asked.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    breaks: (file, how) => void (broken = { file, how }),
    mend: () => void (broken = null),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
