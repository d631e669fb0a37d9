import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface SmtpServer {
  readonly port: number;
  said(): string;
  answerRecipients(line: string): void;
  close(): void;
}

/** Accepts after `slowMs`, unless `answerRecipients` refuses. */
export async function startSmtpServer(slowMs = 0): Promise<SmtpServer> {
  let text = '';
  let recipientAnswer = '250 ok';
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    let isReadingData = false;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (isReadingData) {
        if (text.endsWith('\r\n.\r\n')) {
          isReadingData = false;
          setTimeout(() => socket.write('250 taken\r\n'), slowMs);
        }
        return;
      }
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (line === 'DATA') {
          isReadingData = true;
          socket.write('354 go\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write(`${line.startsWith('RCPT TO:') ? recipientAnswer : '250 ok'}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    said: () => text,
    answerRecipients: (line) => void (recipientAnswer = line),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
