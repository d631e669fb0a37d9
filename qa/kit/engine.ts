import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describeTargets, PanelError, type Refusal } from './error.ts';
import type { LogEntry } from './log.ts';

/** What the thread is started with. */
export interface EngineData {
  origin: string;
  token: string;
  /** Language of messages. */
  locale: string;
}

export type EngineMethod = 'open' | 'list' | 'assess' | 'run' | 'read' | 'get' | 'options';

export interface EngineCall {
  id: number;
  method: EngineMethod;
  name: string;
  input: unknown;
  /** For exported files. */
  folder: string;
}

type EngineError = Partial<Refusal> & { code: string };

export interface EngineAnswer {
  id: number;
  result?: unknown;
  error?: EngineError;
  requests: LogEntry['requests'];
}

export interface OpenedToken {
  email: string;
  /** Scopes, and paths of screens. */
  granted: string[];
  /** The panel's. */
  version: string;
}

interface PendingCall {
  resolve: (answer: EngineAnswer) => void;
  reject: (error: Error) => void;
}

/** The panel's commands with a token, in a thread of their own, so that a suite's globals stay as they are. */
export class Engine {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #ended: PanelError | null = null;
  #opened: Promise<OpenedToken> | null = null;

  constructor(data: EngineData) {
    const file = join(fileURLToPath(import.meta.url), '..', 'engine', 'main.js');
    this.#worker = new Worker(file, { workerData: data });
    this.#worker.unref();
    this.#worker.on('message', (answer: EngineAnswer) => {
      this.#pending.get(answer.id)?.resolve(answer);
      this.#pending.delete(answer.id);
    });
    this.#worker.once('error', (error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)));
    this.#worker.once('exit', () => this.#fail('the thread has ended'));
  }

  /** Checks token and panel once. Rejects with PanelError. */
  open(): Promise<OpenedToken> {
    this.#opened ??= this.call<OpenedToken>('sign in', [], { method: 'open', name: '', input: null, folder: '' }, []);
    return this.#opened;
  }

  /** Rejects with PanelError. Adds what was sent to `requests`. */
  async call<T>(
    command: string,
    targets: readonly string[],
    call: Omit<EngineCall, 'id'>,
    requests: LogEntry['requests'],
  ): Promise<T> {
    if (this.#ended) throw this.#ended;
    const id = ++this.#lastId;
    // Only while a call is pending does the thread keep the process alive.
    this.#worker.ref();
    try {
      const answer = await new Promise<EngineAnswer>((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        this.#worker.postMessage({ id, ...call } satisfies EngineCall);
      });
      requests.push(...answer.requests);
      if (answer.error) throw new PanelError(command, answer.error, describeTargets(targets));
      return answer.result as T;
    } finally {
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#worker.unref();
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(message: string): void {
    this.#ended ??= new PanelError('engine', { code: 'ERROR', message });
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}
